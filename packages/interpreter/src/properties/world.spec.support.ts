import type { AdvanceResult, Command, EngineRequest, RunState, Wait } from '@countersign/model';
import { idOf } from './check-state.spec.support.js';
import { must } from './violation.spec.support.js';

type Kind = Exclude<Wait['kind'], 'condition'>;

/** Everything that the requests of a run have opened: jobs, approvals, subscriptions, timers, child runs. */
export class World {
  private readonly open: Readonly<Record<Kind, Set<string>>> = {
    job: new Set(),
    approval: new Set(),
    question: new Set(),
    message: new Set(),
    signal: new Set(),
    timer: new Set(),
    child: new Set(),
  };

  apply(command: Command, { requests, state, refusal }: AdvanceResult): void {
    for (const request of requests) this.carryOut(request);
    if (command.type === 'child.report' && command.report.kind !== 'escalation' && refusal === null)
      this.open.child.delete(command.childRunId);
    this.compare(state);
  }

  private carryOut(request: EngineRequest): void {
    switch (request.type) {
      case 'job.offer':
        return this.begin('job', request.job.jobId);
      case 'job.reschedule':
        must(this.open.job.has(request.jobId), 'a job that is tried again is open');
        return;
      case 'job.withdraw':
        return this.end('job', request.jobId);
      case 'approval.open':
        return this.begin('approval', request.approval.approvalId);
      case 'approval.change':
        must(this.open.approval.has(request.change.approvalId), 'an approval that changes is pending');
        if (request.change.status !== 'pending') this.end('approval', request.change.approvalId);
        return;
      case 'question.open':
        return this.begin('question', request.question.questionId);
      case 'question.change':
        return this.end('question', request.change.questionId);
      case 'subscription.open':
        return this.begin('message', request.subscription.subscriptionId);
      case 'subscription.close':
        return this.end('message', request.subscriptionId);
      case 'signal.open':
        return this.begin('signal', request.subscription.subscriptionId);
      case 'signal.close':
        return this.end('signal', request.subscriptionId);
      case 'timer.arm':
        return this.begin('timer', request.timerId);
      case 'timer.disarm':
        return this.end('timer', request.timerId);
      case 'send':
        if (request.message.kind === 'child.start') this.begin('child', request.message.childRunId);
        else if (request.message.kind === 'child.cancel') this.end('child', request.message.childRunId);
        return;
      case 'artifact.put':
      case 'absence.rely':
        return;
    }
  }

  private begin(kind: Kind, id: string): void {
    must(!this.open[kind].has(id), `a ${kind} is begun once`);
    this.open[kind].add(id);
  }

  private end(kind: Kind, id: string): void {
    must(this.open[kind].delete(id), `a ${kind} that is ended is open`);
  }

  /** Checks that the open requests are exactly the waits of the run. */
  private compare({ instances }: RunState): void {
    const waits = Object.values(instances).flatMap((each) => each.waits ?? []);
    for (const kind of Object.keys(this.open) as Kind[]) {
      const waited = waits.filter((wait) => wait.kind === kind).map((wait) => idOf(wait) ?? '');
      const open = this.open[kind];
      must(
        waited.every((id) => open.has(id)),
        `every ${kind} that the run waits for was asked of the world`,
      );
      must(waited.length === open.size, `the run waits for every ${kind} that was asked of the world`);
    }
  }
}
