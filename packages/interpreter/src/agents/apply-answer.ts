import type { Json, PendingQuestion } from '@countersign/model';
import { addContributors } from '../contributors.js';
import type { Execution } from '../execution.js';
import { raiseIncident } from '../incidents.js';
import { requireCall, putCall } from './agent-state.js';
import { budgetExhaustedFailure, extendBudget } from './budget.js';
import { completeCall, refuseCall } from './end-call.js';
import { continueAgent } from './continue-agent.js';

/** Handles the answer to a question, or its expiry. */
export function* applyAnswer(
  execution: Execution,
  key: number,
  { purpose, callId }: PendingQuestion,
  answer: Json,
  isAnswered: boolean,
  answeredBy?: string,
): Generator<void, void> {
  // Extending a budget does not contribute to the run's data. The other answers do.
  if (purpose !== 'budget' && answeredBy !== undefined) yield* addContributors(execution, [answeredBy]);
  if (purpose === 'budget') {
    if (answer === 'continue') extendBudget(execution, key);
    else raiseIncident(execution, execution.get(key), budgetExhaustedFailure(), 'job');
  } else if (callId !== null) {
    const call = requireCall(execution, key, callId);
    if (purpose === 'ask')
      completeCall(execution, key, call, { content: { answered: isAnswered, answer }, isError: false, taint: [] });
    else if (answer === 'done') completeCall(execution, key, call, { content: DONE_RESULT, isError: false, taint: [] });
    else if (answer === 'skip') refuseCall(execution, key, call, 'call_skipped', SKIPPED_RESULT);
    // The answer is that the call was not executed, so it is executed now.
    else putCall(execution, key, { ...call, status: 'job' });
  }
  continueAgent(execution, key);
}

// Recorded events contain the digest of this result, and a replay compares it: the text must stay the same.
const DONE_RESULT = Object.freeze({
  outcome: 'done',
  message: 'The call was made. What came back from it is not known.',
});
const SKIPPED_RESULT = Object.freeze({
  error: 'call_skipped',
  message: 'It is unknown whether the call was executed. A person decided to continue without it.',
});
