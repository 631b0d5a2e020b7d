import type { AdvanceResult, Command, EngineRequest, RunState, Wait } from '@countersign/model';
import { getWaitId } from './check-state.spec.support.js';
import { assertProperty } from './violation.spec.support.js';

type WaitKind = Exclude<Wait['kind'], 'condition'>;

/**
 * Tracks what the requests of a run have opened (jobs, approvals, questions, subscriptions, timers, child runs), and
 * checks that it matches the waits of the run.
 */
export class OpenRequests {
  private readonly open: Readonly<Record<WaitKind, Set<string>>> = {
    job: new Set(),
    approval: new Set(),
    question: new Set(),
    message: new Set(),
    signal: new Set(),
    timer: new Set(),
    child: new Set(),
  };

  apply(command: Command, { requests, state, refusal }: AdvanceResult): void {
    for (const request of requests) this.applyRequest(request);
    if (command.type === 'child.report' && command.report.kind !== 'escalation' && refusal === null)
      this.open.child.delete(command.childRunId);
    this.compare(state);
  }

  private applyRequest(request: EngineRequest): void {
    switch (request.type) {
      case 'job.offer':
        return this.add('job', request.job.jobId);
      case 'job.reschedule':
        assertProperty(this.open.job.has(request.jobId), 'a rescheduled job is open');
        return;
      case 'job.withdraw':
        return this.remove('job', request.jobId);
      case 'approval.open':
        return this.add('approval', request.approval.approvalId);
      case 'approval.change':
        assertProperty(this.open.approval.has(request.change.approvalId), 'an approval that changes is pending');
        if (request.change.status !== 'pending') this.remove('approval', request.change.approvalId);
        return;
      case 'question.open':
        return this.add('question', request.question.questionId);
      case 'question.change':
        return this.remove('question', request.change.questionId);
      case 'subscription.open':
        return this.add('message', request.subscription.subscriptionId);
      case 'subscription.close':
        return this.remove('message', request.subscriptionId);
      case 'signal.open':
        return this.add('signal', request.subscription.subscriptionId);
      case 'signal.close':
        return this.remove('signal', request.subscriptionId);
      case 'timer.arm':
        return this.add('timer', request.timerId);
      case 'timer.disarm':
        return this.remove('timer', request.timerId);
      case 'send':
        if (request.message.kind === 'child.start') this.add('child', request.message.childRunId);
        else if (request.message.kind === 'child.cancel') this.remove('child', request.message.childRunId);
        return;
      case 'artifact.put':
      case 'absence.rely':
        return;
    }
  }

  private add(kind: WaitKind, id: string): void {
    assertProperty(!this.open[kind].has(id), `a ${kind} is not opened twice`);
    this.open[kind].add(id);
  }

  private remove(kind: WaitKind, id: string): void {
    assertProperty(this.open[kind].delete(id), `a ${kind} is open before it is closed`);
  }

  /** Checks that the open requests are exactly the waits of the run. */
  private compare({ instances }: RunState): void {
    const waits = Object.values(instances).flatMap((each) => each.waits ?? []);
    for (const kind of Object.keys(this.open) as WaitKind[]) {
      const waitIds = waits.filter((wait) => wait.kind === kind).map((wait) => getWaitId(wait) ?? '');
      const open = this.open[kind];
      assertProperty(
        waitIds.every((id) => open.has(id)),
        `the run has requested every ${kind} that it waits for`,
      );
      assertProperty(waitIds.length === open.size, `the run waits for every open ${kind} that it has requested`);
    }
  }
}
