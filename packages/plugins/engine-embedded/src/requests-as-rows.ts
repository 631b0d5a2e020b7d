import type { RunState } from '@countersign/core/engine';
import type { EngineRequest, OutgoingMessage, OutgoingRow, RunWrite } from '@countersign/core/plugin';

type Rows = Pick<
  RunWrite,
  | 'jobsOffered'
  | 'jobsRescheduled'
  | 'jobsWithdrawn'
  | 'jobsUnbegun'
  | 'subscriptionsOpened'
  | 'subscriptionsClosed'
  | 'signalsOpened'
  | 'signalsClosed'
  | 'timersArmed'
  | 'timersDisarmed'
  | 'approvalsOpened'
  | 'approvalsChanged'
  | 'questionsOpened'
  | 'questionsChanged'
  | 'artifacts'
  | 'outgoing'
  | 'absencesUsed'
>;

/**
 * Sorts the requests by table. What one command both opens and closes is never written: the rows of one statement do not
 * see each other.
 *
 * @param sender the run as it is afterwards
 * @param openJob the job whose work may have been done although it was reported as failed
 */
export function requestsAsRows(
  requests: readonly EngineRequest[],
  ownerFor: (jobType: string) => string | null,
  sender: Pick<RunState, 'runId' | 'updatedAt'>,
  openJob: string | null,
): Rows {
  const jobs = new Map<string, Rows['jobsOffered'][number]>();
  const rescheduled = new Map<string, Rows['jobsRescheduled'][number]>();
  const jobsWithdrawn: string[] = [];
  const jobsUnbegun: string[] = [];
  const subscriptions = new Map<string, Rows['subscriptionsOpened'][number]>();
  const subscriptionsClosed: string[] = [];
  const signals = new Map<string, Rows['signalsOpened'][number]>();
  const signalsClosed: string[] = [];
  const timers = new Map<string, Rows['timersArmed'][number]>();
  const timersDisarmed: string[] = [];
  const opened = new Map<string, Rows['approvalsOpened'][number]>();
  const changed = new Map<string, Rows['approvalsChanged'][number]>();
  const asked = new Map<string, Rows['questionsOpened'][number]>();
  const closed = new Map<string, Rows['questionsChanged'][number]>();
  const artifacts: Rows['artifacts'][number][] = [];
  const outgoing: OutgoingRow[] = [];
  const absencesUsed: string[] = [];
  for (const request of requests) {
    switch (request.type) {
      case 'job.offer':
        jobs.set(request.job.jobId, { ...request.job, owner: null });
        break;
      case 'job.reschedule':
        rescheduled.set(request.jobId, { ...request, isOpen: request.jobId === openJob });
        break;
      case 'job.withdraw':
        rescheduled.delete(request.jobId);
        if (request.unbegun === true) jobsUnbegun.push(request.jobId);
        if (!jobs.delete(request.jobId)) jobsWithdrawn.push(request.jobId);
        break;
      case 'subscription.open':
        subscriptions.set(request.subscription.subscriptionId, request.subscription);
        break;
      case 'subscription.close':
        if (!subscriptions.delete(request.subscriptionId)) subscriptionsClosed.push(request.subscriptionId);
        break;
      case 'signal.open':
        signals.set(request.subscription.subscriptionId, request.subscription);
        break;
      case 'signal.close':
        if (!signals.delete(request.subscriptionId)) signalsClosed.push(request.subscriptionId);
        break;
      case 'timer.arm':
        timers.set(request.timerId, request);
        break;
      case 'timer.disarm':
        if (!timers.delete(request.timerId)) timersDisarmed.push(request.timerId);
        break;
      case 'approval.open':
        opened.set(request.approval.approvalId, request.approval);
        break;
      case 'approval.change': {
        const fresh = opened.get(request.change.approvalId);
        if (fresh === undefined) changed.set(request.change.approvalId, request.change);
        else opened.set(fresh.approvalId, { ...fresh, ...request.change });
        break;
      }
      case 'question.open':
        asked.set(request.question.questionId, request.question);
        break;
      case 'question.change': {
        const fresh = asked.get(request.change.questionId);
        if (fresh === undefined) closed.set(request.change.questionId, request.change);
        else asked.set(fresh.questionId, { ...fresh, ...request.change });
        break;
      }
      case 'artifact.put':
        artifacts.push(request.artifact);
        break;
      case 'absence.rely':
        absencesUsed.push(request.absenceId);
        break;
      case 'send':
        outgoing.push(outgoingRow(request.message, sender.runId, sender.updatedAt));
        break;
    }
  }
  return {
    jobsOffered: [...jobs.values()].map((job) => ({ ...job, owner: ownerFor(job.jobType) })),
    jobsRescheduled: [...rescheduled.values()],
    jobsWithdrawn,
    jobsUnbegun,
    subscriptionsOpened: [...subscriptions.values()],
    subscriptionsClosed,
    signalsOpened: [...signals.values()],
    signalsClosed,
    timersArmed: [...timers.values()],
    timersDisarmed,
    approvalsOpened: [...opened.values()],
    approvalsChanged: [...changed.values()],
    questionsOpened: [...asked.values()],
    questionsChanged: [...closed.values()],
    artifacts,
    outgoing,
    absencesUsed,
  };
}

/**
 * A message as it is stored. What is said about one child run goes one after the other (its cancel never overtakes its
 * start), and so does all else that one run says.
 */
export function outgoingRow(message: OutgoingMessage, sender: string, sentAt: number): OutgoingRow {
  return { message, queue: 'childRunId' in message ? message.childRunId : sender, sentAt };
}
