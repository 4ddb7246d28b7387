// Evaluated once for each test file, which is in the query of its URL.
import { currentFile } from './current-file.ts'

export default currentFile()
