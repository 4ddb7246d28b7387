// Before `npm publish`: the package must say where its sources are, which only its owner knows.
import { readFileSync } from 'node:fs'

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'))
if (!repository?.url) {
  console.error(
    'package.json has no repository: set it to the public address of the sources,\n' +
      '  npm pkg set repository.type=git repository.url=git+https://HOST/OWNER/NAME.git',
  )
  process.exit(1)
}
