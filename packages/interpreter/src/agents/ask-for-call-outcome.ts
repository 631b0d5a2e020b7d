import { type AgentCall, CALL_OUTCOMES } from '@countersign/model';
import type { Execution } from '../execution.js';
import { openQuestion } from '../questions/open-question.js';

/** Asks an operator for the outcome of a call whose worker was lost. */
export function askForCallOutcome(
  execution: Execution,
  key: number,
  { callId, tool }: AgentCall,
  questionId: string,
): void {
  const text =
    `The worker was lost while it called "${tool}", and it is unknown whether the call was executed. ` +
    '"done": it was; "not_done": it was not, and is executed now; "skip": continue without it.';
  const draft = {
    purpose: 'outcome',
    callId,
    text,
    options: CALL_OUTCOMES,
    answerSchema: null,
    dueAt: null,
    onDue: { kind: 'incident' },
  } as const;
  openQuestion(execution, key, draft, questionId);
}
