import { writeFileSync } from 'node:fs'
import { ExportFolder } from '../../engine/database/export-folder.ts'

// Begins to write an export and reports it; never ends by itself.
void new ExportFolder().written(file => {
  writeFileSync(file, 'half of it')
  process.stdout.write('writing\n')
  return new Promise(() => setInterval(() => {}, 1000))
})
