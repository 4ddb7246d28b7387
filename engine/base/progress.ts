export type Progress = (label: string, done?: number, total?: number) => Promise<void>

export type Report = (done: number) => void
