import type { AgentCall, AgentState, ElementInstance, RunState, Wait } from '@countersign/model';
import { assertProperty } from './violation.spec.support.js';

/** Checks an agent step: it either waits for the next turn, or each unfinished call has a wait. */
export function checkAgent(instance: ElementInstance, agent: AgentState, label: string): void {
  const waits = instance.waits ?? [];
  const turnJobs = waits.filter((wait) => wait.kind === 'job' && wait.callId === undefined).length;
  const budgetQuestions = waits.filter((wait) => wait.kind === 'question' && wait.question.purpose === 'budget').length;
  const isStopped = budgetQuestions > 0 || instance.incident !== undefined;
  assertProperty(turnJobs + budgetQuestions <= 1, `${label} waits for at most one turn or one answer about its budget`);
  assertProperty(turnJobs === 0 || agent.calls.length === 0, `${label} has no calls while it waits for the next turn`);
  assertProperty(
    isStopped || agent.calls.length > 0 || turnJobs === 1,
    `${label} has an active turn or call unless it is stopped`,
  );
  assertProperty(
    isStopped || agent.calls.length === 0 || agent.calls.some(({ status }) => status !== 'done'),
    `${label} continues when all its calls are done`,
  );
  for (const call of agent.calls) checkCall(call, waits, isStopped, `${label}, ${call.tool}`);
  for (const wait of waits) {
    const callId = getCallId(wait);
    if (callId !== null)
      assertProperty(
        agent.calls.some((call) => call.callId === callId),
        `${label} waits only for its own calls`,
      );
    if (wait.kind === 'timer' && wait.purpose === 'question')
      assertProperty(
        waits.some((each) => each.kind === 'question' && each.question.questionId === wait.questionId),
        `each question timer of ${label} belongs to an open question`,
      );
    if (wait.kind === 'question')
      assertProperty(
        waits.filter((each) => each.kind === 'timer' && each.questionId === wait.question.questionId).length ===
          (wait.question.dueAt === null ? 0 : 1),
        `a question of ${label} has a timer if and only if it has a due date`,
      );
  }
  assertProperty(isSorted(agent.taint), `the taint sources of ${label} are sorted and unique`);
}

function checkCall(call: AgentCall, waits: readonly Wait[], isStopped: boolean, label: string): void {
  const callWaits = waits.filter((wait) => getCallId(wait) === call.callId);
  assertProperty(callWaits.length <= 1, `${label} has at most one wait`);
  if (call.status === 'done') {
    assertProperty(callWaits.length === 0, `${label} has no wait when it is done`);
    assertProperty(Object.keys(call.arguments).length === 0, `${label} keeps no arguments when it is done`);
    return;
  }
  assertProperty(
    callWaits.length === 1 || isStopped,
    `${label} has a wait unless its step is stopped (${call.status})`,
  );
  const kind = call.status === 'outcome' ? 'question' : call.status;
  if (callWaits[0] !== undefined)
    assertProperty(callWaits[0].kind === kind, `the wait of ${label} matches its status (${call.status})`);
}

function getCallId(wait: Wait): string | null {
  if (wait.kind === 'question') return wait.question.callId;
  return wait.kind === 'job' || wait.kind === 'approval' ? (wait.callId ?? null) : null;
}

/** Checks the taints of an instance: only existing variables are tainted, and only if the run is marked as tainted. */
export function checkTaints(
  state: RunState,
  { taints, variables = {}, resultTaints, incident }: ElementInstance,
  label: string,
): void {
  for (const [name, sources] of Object.entries(taints ?? {})) {
    assertProperty(Object.hasOwn(variables, name), `${label} has the tainted variable ${name}`);
    assertProperty(
      sources.length > 0 && isSorted(sources),
      `the taint sources of ${name} in ${label} are sorted and unique`,
    );
  }
  assertProperty(
    taints === undefined || (state.tainted === true && Object.keys(taints).length > 0),
    `${label} has taints only if the run is tainted`,
  );
  assertProperty(
    resultTaints === undefined || incident?.result !== undefined,
    `${label} keeps the taints of a result only together with the result`,
  );
}

function isSorted(sources: readonly string[]): boolean {
  return sources.every((each, index) => index === 0 || (sources[index - 1] ?? '') < each);
}
