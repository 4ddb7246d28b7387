// What a shell starts instead of the program: node resident-client.js SOCKET ARGS. Loads nothing that takes time.
import { askResident } from './resident-wire.ts'

const [path, ...args] = process.argv.slice(2)
const { code, out, err } = await askResident(path!, { args, folder: process.cwd(), env: process.env })
process.stdout.write(out)
process.stderr.write(err)
process.exitCode = code
