import { canonicalJson, type ProposedCall, readCallDestination } from '@countersign/model';

/** Maximum number of calls per turn. */
export const MAX_CALLS_PER_TURN = 64;
/** Maximum size of a call's arguments in bytes. They are stored in the run's state and shown to users. */
const MAX_ARGUMENTS_BYTES = 256 * 1024;
/** Maximum length of a question in characters. */
const MAX_QUESTION_LENGTH = 10_000;
/** Maximum time for answering a question in milliseconds: a hundred years, so that the due date can be displayed. */
const MAX_DUE_MS = 100 * 365 * 86_400_000;

/**
 * Returns the call with its destination in the form that policies evaluate, and with a problem if the call cannot be
 * executed. Content that is too large and a destination that cannot be read are removed.
 */
export function validateCall(proposed: ProposedCall): ProposedCall {
  const call = withParsedDestination(proposed);
  if (new TextEncoder().encode(canonicalJson(call.arguments)).length > MAX_ARGUMENTS_BYTES) {
    const problem = {
      code: 'tool_arguments_too_large',
      message: `The arguments of a call may have at most ${MAX_ARGUMENTS_BYTES} bytes.`,
    };
    return { ...call, arguments: {}, question: null, problem };
  }
  if (call.question === null || call.problem !== null) return call;
  const { text, dueInMs } = call.question;
  if (text.length > MAX_QUESTION_LENGTH) {
    return {
      ...call,
      question: null,
      problem: {
        code: 'question_too_long',
        message: `The text of a question may have at most ${MAX_QUESTION_LENGTH} characters.`,
      },
    };
  }
  if (dueInMs !== null && !(Number.isInteger(dueInMs) && dueInMs > 0 && dueInMs <= MAX_DUE_MS)) {
    return {
      ...call,
      question: null,
      problem: {
        code: 'question_due_invalid',
        message: 'The time for answering a question must be positive and at most a hundred years.',
      },
    };
  }
  return call;
}

/**
 * Returns the call with its destination parsed. If that fails, the call gets a problem and is not executed, because no
 * policy rule about hosts or ports would match it.
 */
function withParsedDestination({ hosts, ports, ...call }: ProposedCall): ProposedCall {
  try {
    return { ...call, ...readCallDestination({ hosts, ...(ports === undefined ? {} : { ports }) }) };
  } catch (error) {
    const problem = {
      code: 'tool_destination_unreadable',
      message: `The policy cannot evaluate the destination of the call. ${error instanceof Error ? error.message : String(error)}`,
    };
    return { ...call, hosts: [], problem: call.problem ?? problem };
  }
}
