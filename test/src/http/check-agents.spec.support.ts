import type { EvidenceEvent, EvidencePack } from '@countersign/contract';
import { canonical, same, sha256, type Check } from './checks.spec.support.js';

const CLOSED: Readonly<Record<string, string>> = {
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
  for (const event of pack.events) if (event.type === 'agent.call.dispatched') checkDispatched(pack, event, check);
}

function checkQuestions({ events, questions }: EvidencePack, check: Check): void {
  const asked = events.filter(({ type }) => type === 'question.asked');
  check(
    same(
      asked.map(({ data }) => data['questionId']),
      questions.map(({ questionId }) => questionId),
    ),
    'questions: same as in the events',
  );
  for (const [index, question] of questions.entries()) {
    const name = `question ${question.questionId}`;
    const { at, stepId, elementId, data, private: told } = asked[index] ?? {};
    const { questionId, purpose, callId, dueAt, text, options, answerSchema } = question;
    check(
      same(
        { at, stepId, elementId, data, told },
        {
          at: question.askedAt,
          stepId: question.stepId,
          elementId: question.elementId,
          data: { questionId, purpose, callId, dueAt },
          told: { text, options, answerSchema },
        },
      ),
      `${name}: as asked`,
    );
    const end = events.find((event) => CLOSED[event.type] !== undefined && event.data['questionId'] === questionId);
    check(
      (CLOSED[end?.type ?? ''] ?? 'pending') === question.status && (end?.at ?? null) === question.closedAt,
      `${name}: status`,
    );
    if (question.status !== 'answered') continue;
    const { id, name: by } = end?.private?.['actor'] as { id: string; name: string | null };
    check(
      id === question.answeredBy && by === question.answeredByName && same(end?.private?.['answer'], question.answer),
      `${name}: answer`,
    );
  }
}

function checkTurns({ events, agentWork, definitions }: EvidencePack, check: Check): void {
  const turns = events.filter(({ type }) => type === 'agent.turn');
  check(turns.length === agentWork.reduce((sum, work) => sum + work.turns.length, 0), 'agents: number of turns');
  for (const work of agentWork) {
    const name = `agent ${work.agent}`;
    const mine = turns.filter(({ stepId }) => stepId === work.stepId);
    check(
      mine.every(({ data }) => data['agent'] === work.agent && data['definitionDigest'] === work.definitionDigest),
      `${name}: definition`,
    );
    const kept = definitions.filter(({ kind }) => kind === 'agent').map(({ digest }) => digest);
    check(kept.length === 0 || kept.includes(work.definitionDigest), `${name}: definition is stored`);
    check(
      same(
        mine.map(({ at, data, private: told }) => [at, told?.['text'], data['calls']]),
        work.turns.map(({ at, text, calls }) => [at, text, calls.map(({ callId, tool }) => ({ callId, tool }))]),
      ),
      `${name}: turns`,
    );
    const discarded = events.filter(
      ({ type, stepId }) => type === 'agent.response_discarded' && stepId === work.stepId,
    );
    check(discarded.length === work.usage.discardedResponses, `${name}: number of discarded responses`);
    check(
      [...mine, ...discarded].reduce((sum, { data }) => sum + Number(data['inputTokens']), 0) ===
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

function checkCall(mine: readonly EvidenceEvent[], call: Call, check: Check): void {
  const name = `call ${call.callId}`;
  const decided = mine.findLast(({ type }) => type === 'agent.call.requested');
  if (decided !== undefined) {
    check(
      same(decided.private?.['arguments'], call.arguments) &&
        same(decided.data['taint'], call.taint) &&
        decided.data['effect'] === call.effect,
      `${name}: as decided`,
    );
    const { decidedAt: _at, ...decision } = call.policyDecision ?? {};
    check(same(decided.data['policyDecision'], decision), `${name}: policy decision`);
  }
  const end = mine.findLast(({ type }) => type === 'agent.call.completed' || type === 'agent.call.refused');
  check(
    (end?.at ?? null) === call.completedAt && canonical(end?.private?.['content'] ?? null) === canonical(call.result),
    `${name}: result`,
  );
  const told = end?.data['contentDigest'];
  check(told === undefined || told === `sha256:${sha256(call.result)}`, `${name}: digest of the result`);
}

/** Checks that each executed call is the approved one, and that each call that needed an approval has one before it. */
function checkDispatched({ events, approvals }: EvidencePack, { seq, data }: EvidenceEvent, check: Check): void {
  const name = `call ${String(data['callId'])}`;
  const decided = events.findLast(
    (event) => event.seq < seq && event.type === 'agent.call.requested' && event.data['callId'] === data['callId'],
  );
  check(
    decided !== undefined && ['nothing', 'approval'].includes(String(decided.data['needs'])),
    `${name}: decided before it was made`,
  );
  if (decided?.data['needs'] !== 'approval') return;
  const approval = approvals.find(({ approvalId }) => approvalId === data['approvalId']);
  check(
    approval?.status === 'approved' &&
      approval.digest === data['approvedDigest'] &&
      `sha256:${sha256(approval.subject)}` === approval.digest,
    `${name}: approved before it was made`,
  );
  const resolved = events.find(
    (event) => event.type === 'approval.resolved' && event.data['approvalId'] === data['approvalId'],
  );
  check(
    resolved !== undefined && resolved.seq < seq && resolved.data['status'] === 'approved',
    `${name}: approval is older`,
  );
  const { subject } = approval ?? {};
  check(
    subject?.kind === 'tool_call' &&
      subject['callId'] === data['callId'] &&
      same(subject.inputs, decided.private?.['arguments']),
    `${name}: what was approved is what was made`,
  );
}
