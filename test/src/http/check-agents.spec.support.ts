import type { EvidenceEvent, EvidencePack } from '@countersign/contract';
import { canonicalize, isEqual, sha256, type Check } from './checks.spec.support.js';

const STATUS_BY_EVENT: Readonly<Record<string, string>> = {
  'question.answered': 'answered',
  'question.expired': 'expired',
  'question.withdrawn': 'withdrawn',
};

/** Checks agents, their calls, their questions and their definitions, and reports each mismatch. */
export function checkAgentWork(pack: EvidencePack, check: Check): void {
  for (const { kind, name, digest, content } of pack.definitions)
    check(`sha256:${sha256(content)}` === digest, `definition of ${kind} ${name}`);
  checkQuestions(pack, check);
  checkTurns(pack, check);
  for (const event of pack.events) if (event.type === 'agent.call.dispatched') checkDispatchedCall(pack, event, check);
}

function checkQuestions({ events, questions }: EvidencePack, check: Check): void {
  const askedEvents = events.filter(({ type }) => type === 'question.asked');
  check(
    isEqual(
      askedEvents.map(({ data }) => data['questionId']),
      questions.map(({ questionId }) => questionId),
    ),
    'questions: same as in the events',
  );
  for (const [index, question] of questions.entries()) {
    const name = `question ${question.questionId}`;
    const { at, stepId, elementId, data, private: privateData } = askedEvents[index] ?? {};
    const { questionId, purpose, callId, dueAt, text, options, answerSchema } = question;
    check(
      isEqual(
        { at, stepId, elementId, data, privateData },
        {
          at: question.askedAt,
          stepId: question.stepId,
          elementId: question.elementId,
          data: { questionId, purpose, callId, dueAt },
          privateData: { text, options, answerSchema },
        },
      ),
      `${name}: content`,
    );
    const end = events.find(
      (event) => STATUS_BY_EVENT[event.type] !== undefined && event.data['questionId'] === questionId,
    );
    check(
      (STATUS_BY_EVENT[end?.type ?? ''] ?? 'pending') === question.status && (end?.at ?? null) === question.closedAt,
      `${name}: status`,
    );
    if (question.status !== 'answered') continue;
    const { id, name: answererName } = end?.private?.['actor'] as { id: string; name: string | null };
    check(
      id === question.answeredBy &&
        answererName === question.answeredByName &&
        isEqual(end?.private?.['answer'], question.answer),
      `${name}: answer`,
    );
  }
}

function checkTurns({ events, agentWork, definitions }: EvidencePack, check: Check): void {
  const turns = events.filter(({ type }) => type === 'agent.turn');
  check(turns.length === agentWork.reduce((sum, work) => sum + work.turns.length, 0), 'agents: number of turns');
  for (const work of agentWork) {
    const name = `agent ${work.agent}`;
    const stepTurns = turns.filter(({ stepId }) => stepId === work.stepId);
    check(
      stepTurns.every(({ data }) => data['agent'] === work.agent && data['definitionDigest'] === work.definitionDigest),
      `${name}: definition`,
    );
    const agentDigests = definitions.filter(({ kind }) => kind === 'agent').map(({ digest }) => digest);
    check(agentDigests.length === 0 || agentDigests.includes(work.definitionDigest), `${name}: definition is stored`);
    check(
      isEqual(
        stepTurns.map(({ at, data, private: privateData }) => [at, privateData?.['text'], data['calls']]),
        work.turns.map(({ at, text, calls }) => [at, text, calls.map(({ callId, tool }) => ({ callId, tool }))]),
      ),
      `${name}: turns`,
    );
    const discardedEvents = events.filter(
      ({ type, stepId }) => type === 'agent.response_discarded' && stepId === work.stepId,
    );
    check(discardedEvents.length === work.usage.discardedResponses, `${name}: number of discarded responses`);
    check(
      [...stepTurns, ...discardedEvents].reduce((sum, { data }) => sum + Number(data['inputTokens']), 0) ===
        work.usage.inputTokens,
      `${name}: usage`,
    );
    for (const call of work.turns.flatMap(({ calls }) => calls))
      checkCall(
        events.filter(({ data }) => data['callId'] === call.callId),
        call,
        check,
      );
  }
}

type Call = EvidencePack['agentWork'][number]['turns'][number]['calls'][number];

function checkCall(callEvents: readonly EvidenceEvent[], call: Call, check: Check): void {
  const name = `call ${call.callId}`;
  const requestedEvent = callEvents.findLast(({ type }) => type === 'agent.call.requested');
  if (requestedEvent !== undefined) {
    check(
      isEqual(requestedEvent.private?.['arguments'], call.arguments) &&
        isEqual(requestedEvent.data['taint'], call.taint) &&
        requestedEvent.data['effect'] === call.effect,
      `${name}: arguments, taint and effect`,
    );
    const { decidedAt: _at, ...decision } = call.policyDecision ?? {};
    check(isEqual(requestedEvent.data['policyDecision'], decision), `${name}: policy decision`);
  }
  const end = callEvents.findLast(({ type }) => type === 'agent.call.completed' || type === 'agent.call.refused');
  check(
    (end?.at ?? null) === call.completedAt &&
      canonicalize(end?.private?.['content'] ?? null) === canonicalize(call.result),
    `${name}: result`,
  );
  const recordedDigest = end?.data['contentDigest'];
  check(
    recordedDigest === undefined || recordedDigest === `sha256:${sha256(call.result)}`,
    `${name}: digest of the result`,
  );
}

/**
 * Checks that an executed call has an earlier policy decision and, if it needed an approval, that exactly this call was
 * approved before.
 */
function checkDispatchedCall({ events, approvals }: EvidencePack, { seq, data }: EvidenceEvent, check: Check): void {
  const name = `call ${String(data['callId'])}`;
  const requestedEvent = events.findLast(
    (event) => event.seq < seq && event.type === 'agent.call.requested' && event.data['callId'] === data['callId'],
  );
  check(
    requestedEvent !== undefined && ['nothing', 'approval'].includes(String(requestedEvent.data['needs'])),
    `${name}: policy decision precedes the execution`,
  );
  if (requestedEvent?.data['needs'] !== 'approval') return;
  const approval = approvals.find(({ approvalId }) => approvalId === data['approvalId']);
  check(
    approval?.status === 'approved' &&
      approval.digest === data['approvedDigest'] &&
      `sha256:${sha256(approval.subject)}` === approval.digest,
    `${name}: digest of the approved subject`,
  );
  const resolvedEvent = events.find(
    (event) => event.type === 'approval.resolved' && event.data['approvalId'] === data['approvalId'],
  );
  check(
    resolvedEvent !== undefined && resolvedEvent.seq < seq && resolvedEvent.data['status'] === 'approved',
    `${name}: approval precedes the execution`,
  );
  const { subject } = approval ?? {};
  check(
    subject?.kind === 'tool_call' &&
      subject['callId'] === data['callId'] &&
      isEqual(subject.inputs, requestedEvent.private?.['arguments']),
    `${name}: executed call equals the approved call`,
  );
}
