import type { AgentCall, AgentState, ElementInstance, RunState, Wait } from '@countersign/model';
import { assertProperty } from './violation.spec.support.js';

/** Checks an agent step: either the next turn is due, or each call that is not done has a wait. */
export function checkAgent(instance: ElementInstance, agent: AgentState, label: string): void {
  const waits = instance.waits ?? [];
  const turns = waits.filter((wait) => wait.kind === 'job' && wait.callId === undefined).length;
  const budgets = waits.filter((wait) => wait.kind === 'question' && wait.question.purpose === 'budget').length;
  const isStopped = budgets > 0 || instance.incident !== undefined;
  assertProperty(turns + budgets <= 1, `${label} waits for one turn, or for one answer about its budget`);
  assertProperty(turns === 0 || agent.calls.length === 0, `${label} has done with its calls when the next turn is due`);
  assertProperty(isStopped || agent.calls.length > 0 || turns === 1, `${label} has a turn or a call under way`);
  assertProperty(
    isStopped || agent.calls.length === 0 || agent.calls.some(({ status }) => status !== 'done'),
    `${label} goes on when its calls are done`,
  );
  for (const call of agent.calls) checkCall(call, waits, isStopped, `${label}, ${call.tool}`);
  for (const wait of waits) {
    const callId = getCallId(wait);
    if (callId !== null)
      assertProperty(
        agent.calls.some((call) => call.callId === callId),
        `${label} waits for calls that it has`,
      );
    if (wait.kind === 'timer' && wait.purpose === 'question')
      assertProperty(
        waits.some((each) => each.kind === 'question' && each.question.questionId === wait.questionId),
        `${label} waits for the end of a question that is there`,
      );
    if (wait.kind === 'question')
      assertProperty(
        waits.filter((each) => each.kind === 'timer' && each.questionId === wait.question.questionId).length ===
          (wait.question.dueAt === null ? 0 : 1),
        `${label} waits for the end of a question that has one`,
      );
  }
  assertProperty(isSorted(agent.taint), `${label} has each source once`);
}

function checkCall(call: AgentCall, waits: readonly Wait[], isStopped: boolean, label: string): void {
  const callWaits = waits.filter((wait) => getCallId(wait) === call.callId);
  assertProperty(callWaits.length <= 1, `${label} waits for one thing`);
  if (call.status === 'done') {
    assertProperty(callWaits.length === 0, `${label} is done`);
    assertProperty(Object.keys(call.arguments).length === 0, `${label} keeps nothing of what was done`);
    return;
  }
  assertProperty(callWaits.length === 1 || isStopped, `${label} is under way (${call.status})`);
  const kind = call.status === 'outcome' ? 'question' : call.status;
  if (callWaits[0] !== undefined)
    assertProperty(callWaits[0].kind === kind, `${label} waits for what it says (${call.status})`);
}

function getCallId(wait: Wait): string | null {
  if (wait.kind === 'question') return wait.question.callId;
  return wait.kind === 'job' || wait.kind === 'approval' ? (wait.callId ?? null) : null;
}

/** Checks that only existing variables are tainted. */
export function checkTaints(
  state: RunState,
  { taints, variables = {}, resultTaints, incident }: ElementInstance,
  label: string,
): void {
  for (const [name, sources] of Object.entries(taints ?? {})) {
    assertProperty(Object.hasOwn(variables, name), `${label} has the variable that is tainted`);
    assertProperty(sources.length > 0 && isSorted(sources), `${label} has each source of ${name} once`);
  }
  assertProperty(
    taints === undefined || (state.tainted === true && Object.keys(taints).length > 0),
    `${label} is tainted where the run is`,
  );
  assertProperty(
    resultTaints === undefined || incident?.result !== undefined,
    `${label} keeps the taint of a result that it keeps`,
  );
}

function isSorted(sources: readonly string[]): boolean {
  return sources.every((each, index) => index === 0 || (sources[index - 1] ?? '') < each);
}
