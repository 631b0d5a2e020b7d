import type { AgentCall, AgentState, ElementInstance, RunState, Wait } from '@countersign/model';
import { must } from './violation.spec.support.js';

/** Checks an agent step: either the next turn is due, or each call that is not done has a wait. */
export function checkAgent(instance: ElementInstance, agent: AgentState, where: string): void {
  const waits = instance.waits ?? [];
  const turns = waits.filter((wait) => wait.kind === 'job' && wait.callId === undefined).length;
  const budgets = waits.filter((wait) => wait.kind === 'question' && wait.question.purpose === 'budget').length;
  const isStopped = budgets > 0 || instance.incident !== undefined;
  must(turns + budgets <= 1, `${where} waits for one turn, or for one answer about its budget`);
  must(turns === 0 || agent.calls.length === 0, `${where} has done with its calls when the next turn is due`);
  must(isStopped || agent.calls.length > 0 || turns === 1, `${where} has a turn or a call under way`);
  must(
    isStopped || agent.calls.length === 0 || agent.calls.some(({ status }) => status !== 'done'),
    `${where} goes on when its calls are done`,
  );
  for (const call of agent.calls) checkCall(call, waits, isStopped, `${where}, ${call.tool}`);
  for (const wait of waits) {
    const callId = callIdOf(wait);
    if (callId !== null)
      must(
        agent.calls.some((call) => call.callId === callId),
        `${where} waits for calls that it has`,
      );
    if (wait.kind === 'timer' && wait.purpose === 'question')
      must(
        waits.some((each) => each.kind === 'question' && each.question.questionId === wait.questionId),
        `${where} waits for the end of a question that is there`,
      );
    if (wait.kind === 'question')
      must(
        waits.filter((each) => each.kind === 'timer' && each.questionId === wait.question.questionId).length ===
          (wait.question.dueAt === null ? 0 : 1),
        `${where} waits for the end of a question that has one`,
      );
  }
  must(isSorted(agent.taint), `${where} has each source once`);
}

function checkCall(call: AgentCall, waits: readonly Wait[], isStopped: boolean, where: string): void {
  const mine = waits.filter((wait) => callIdOf(wait) === call.callId);
  must(mine.length <= 1, `${where} waits for one thing`);
  if (call.status === 'done') {
    must(mine.length === 0, `${where} is done`);
    must(Object.keys(call.arguments).length === 0, `${where} keeps nothing of what was done`);
    return;
  }
  must(mine.length === 1 || isStopped, `${where} is under way (${call.status})`);
  const kind = call.status === 'outcome' ? 'question' : call.status;
  if (mine[0] !== undefined) must(mine[0].kind === kind, `${where} waits for what it says (${call.status})`);
}

function callIdOf(wait: Wait): string | null {
  if (wait.kind === 'question') return wait.question.callId;
  return wait.kind === 'job' || wait.kind === 'approval' ? (wait.callId ?? null) : null;
}

/** Checks that only existing variables are tainted. */
export function checkTaints(
  state: RunState,
  { taints, variables = {}, resultTaints, incident }: ElementInstance,
  where: string,
): void {
  for (const [name, sources] of Object.entries(taints ?? {})) {
    must(Object.hasOwn(variables, name), `${where} has the variable that is tainted`);
    must(sources.length > 0 && isSorted(sources), `${where} has each source of ${name} once`);
  }
  must(
    taints === undefined || (state.tainted === true && Object.keys(taints).length > 0),
    `${where} is tainted where the run is`,
  );
  must(
    resultTaints === undefined || incident?.result !== undefined,
    `${where} keeps the taint of a result that it keeps`,
  );
}

function isSorted(sources: readonly string[]): boolean {
  return sources.every((each, index) => index === 0 || (sources[index - 1] ?? '') < each);
}
