import type { Question } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

const t = texts.questions;

/** Returns a one-line heading that names the agent and the purpose of the question. */
export function getQuestionHeading({ purpose, agentName }: Pick<Question, 'purpose' | 'agentName'>): string {
  const agent = toOneLine(agentName, 80);
  return purpose === 'budget' ? t.budget(agent) : purpose === 'outcome' ? t.outcome(agent) : t.asks(agent);
}

/** Returns the agent, with the purpose of the question if the agent does not ask it itself. */
export function getQuestionSource(question: Pick<Question, 'purpose' | 'agentName'>): string {
  return question.purpose === 'ask' ? toOneLine(question.agentName, 80) : getQuestionHeading(question);
}
