import t from 'tap'
import { rocchioFeedback } from '../../engine/search/feedback.ts'

const question = Float32Array.of(2, 0, 0)
const lead = (score: number, ...vector: number[]) => ({ score, vector: Float32Array.from(vector) })

t.test('a question is drawn toward the passage that stands out, and keeps its own direction', async t => {
  const drawn = rocchioFeedback(question, [lead(10, 0, 1, 0), lead(5, 0, 0, 1)], 0.5)
  t.equal(drawn[0], 1)
  t.ok(Math.abs(drawn[1]! - 0.5) < 1e-3)
  t.ok(drawn[2]! < 0.001)
})

t.test('passages found equally well draw equally', async t => {
  const drawn = rocchioFeedback(question, [lead(10, 0, 1, 0), lead(10, 0, 0, 1)], 0.5)
  t.equal(drawn[1], drawn[2])
})

t.test('a question whose words find nothing stays as it is', async t => {
  t.equal(rocchioFeedback(question, [], 0.5), question)
  t.equal(rocchioFeedback(question, [lead(0, 0, 1, 0)], 0.5), question)
})
