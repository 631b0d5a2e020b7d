import {
  deriveId,
  type Json,
  type JsonObject,
  type QuestionRecord,
  type QuestionStatus,
  SYSTEM_ACTOR,
} from '@countersign/model';
import { toTimestamp } from './to-json-response.js';

export type ConversationMessageView = {
  messageId: string;
  at: string;
  author: { kind: 'agent' | 'human' | 'system'; name: string };
  stepId: string;
  text: string;
  questionId: string;
  options: string[] | null;
  answerSchema: JsonObject | null;
  status: QuestionStatus | null;
  answer: Json;
};

const SYSTEM_AUTHOR = { kind: 'system', name: SYSTEM_ACTOR.name ?? SYSTEM_ACTOR.id } as const;

/** Builds the conversation of a run, oldest first: each question and how it was closed. */
export function toConversationView(questions: readonly QuestionRecord[]): ConversationMessageView[] {
  const messages = questions.flatMap((question) => [toQuestionMessage(question), ...toClosingMessages(question)]);
  // Timestamps have one format, so they sort as strings. Messages with the same time keep their order.
  return messages.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function toQuestionMessage(question: QuestionRecord): ConversationMessageView {
  const { questionId, stepId, text, options, answerSchema, status } = question;
  return {
    messageId: questionId,
    at: toTimestamp(question.askedAt),
    // Questions about budgets and unknown outcomes come from the system, and agents must not be able to impersonate it.
    author: question.purpose === 'ask' ? { kind: 'agent', name: question.agentName } : { ...SYSTEM_AUTHOR },
    stepId,
    text,
    questionId,
    options: options === null ? null : [...options],
    answerSchema,
    status,
    answer: null,
  };
}

function toClosingMessages(question: QuestionRecord): ConversationMessageView[] {
  const { questionId, stepId, status, closedAt, answer, answeredBy } = question;
  if (status === 'pending' || closedAt === null) return [];
  const isAnswer = status === 'answered' && answeredBy !== null;
  return [
    {
      messageId: deriveId(questionId, 'closed'),
      at: toTimestamp(closedAt),
      author: isAnswer ? { kind: 'human', name: answeredBy.name ?? answeredBy.id } : { ...SYSTEM_AUTHOR },
      stepId,
      text: isAnswer ? formatAnswer(answer) : describeEnd(question),
      questionId,
      options: null,
      answerSchema: null,
      status: null,
      answer: isAnswer ? answer : null,
    },
  ];
}

function formatAnswer(answer: Json): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

function describeEnd({ status, onDue }: QuestionRecord): string {
  if (status === 'withdrawn') return 'The question was withdrawn.';
  if (onDue.kind === 'incident') return 'No one answered in time. The step has an incident until it is recovered.';
  return onDue.answer === null
    ? 'No one answered in time. The agent continues without an answer.'
    : `No one answered in time. The agent continues with: ${formatAnswer(onDue.answer)}`;
}
