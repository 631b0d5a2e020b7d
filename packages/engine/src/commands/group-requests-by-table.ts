import type { OutgoingRow, RunWrite } from '@countersign/core/ports';
import type { EngineRequest, OutgoingMessage, RunState } from '@countersign/model';

type Rows = Pick<
  RunWrite,
  | 'jobsOffered'
  | 'jobsRescheduled'
  | 'jobsWithdrawn'
  | 'jobsIfUnclaimed'
  | 'subscriptionsOpened'
  | 'subscriptionsClosed'
  | 'signalsOpened'
  | 'signalsClosed'
  | 'timersArmed'
  | 'timersDisarmed'
  | 'approvalsOpened'
  | 'approvalsChanged'
  | 'approvalsExcluded'
  | 'questionsOpened'
  | 'questionsChanged'
  | 'artifacts'
  | 'outgoing'
  | 'requiredAbsences'
  | 'erasure'
>;

/**
 * Groups the requests by table. A row that one command both opens and closes is never written, because the parts of
 * one statement do not see each other's rows. A command touches few tables, so maps are created on demand.
 *
 * @param sender state of the run after the command
 * @param unknownOutcomeJobId id of a job that was reported as failed although its work may have been done
 */
export function groupRequestsByTable(
  requests: readonly EngineRequest[],
  reserveOwner: (jobType: string, runId: string) => string | null,
  sender: Pick<RunState, 'runId' | 'updatedAt'>,
  unknownOutcomeJobId: string | null,
): Rows {
  let jobs: Map<string, Omit<Rows['jobsOffered'][number], 'owner'>> | undefined;
  let rescheduled: Map<string, Rows['jobsRescheduled'][number]> | undefined;
  const jobsWithdrawn: string[] = [];
  const jobsIfUnclaimed: string[] = [];
  let subscriptions: Map<string, Rows['subscriptionsOpened'][number]> | undefined;
  const subscriptionsClosed: string[] = [];
  let signals: Map<string, Rows['signalsOpened'][number]> | undefined;
  const signalsClosed: string[] = [];
  let timers: Map<string, Rows['timersArmed'][number]> | undefined;
  const timersDisarmed: string[] = [];
  let approvalsOpened: Map<string, Rows['approvalsOpened'][number]> | undefined;
  let approvalsChanged: Map<string, Rows['approvalsChanged'][number]> | undefined;
  let approvalsExcluded: Map<string, Rows['approvalsExcluded'][number]> | undefined;
  let questionsOpened: Map<string, Rows['questionsOpened'][number]> | undefined;
  let questionsChanged: Map<string, Rows['questionsChanged'][number]> | undefined;
  const artifacts: Rows['artifacts'][number][] = [];
  const outgoing: OutgoingRow[] = [];
  const requiredAbsences: string[] = [];
  let erasure: Rows['erasure'] = null;
  for (const request of requests) {
    switch (request.type) {
      case 'job.offer':
        (jobs ??= new Map()).set(request.job.jobId, request.job);
        break;
      case 'job.reschedule':
        (rescheduled ??= new Map()).set(request.jobId, {
          ...request,
          hasUnknownOutcome: request.jobId === unknownOutcomeJobId,
        });
        break;
      case 'job.withdraw':
        rescheduled?.delete(request.jobId);
        if (request.ifUnclaimed === true) jobsIfUnclaimed.push(request.jobId);
        if (jobs?.delete(request.jobId) !== true) jobsWithdrawn.push(request.jobId);
        break;
      case 'subscription.open':
        (subscriptions ??= new Map()).set(request.subscription.subscriptionId, request.subscription);
        break;
      case 'subscription.close':
        if (subscriptions?.delete(request.subscriptionId) !== true) subscriptionsClosed.push(request.subscriptionId);
        break;
      case 'signal.open':
        (signals ??= new Map()).set(request.subscription.subscriptionId, request.subscription);
        break;
      case 'signal.close':
        if (signals?.delete(request.subscriptionId) !== true) signalsClosed.push(request.subscriptionId);
        break;
      case 'timer.arm':
        (timers ??= new Map()).set(request.timerId, request);
        break;
      case 'timer.disarm':
        if (timers?.delete(request.timerId) !== true) timersDisarmed.push(request.timerId);
        break;
      case 'approval.open':
        (approvalsOpened ??= new Map()).set(request.approval.approvalId, request.approval);
        break;
      case 'approval.change': {
        const openedRow = approvalsOpened?.get(request.change.approvalId);
        if (openedRow === undefined) (approvalsChanged ??= new Map()).set(request.change.approvalId, request.change);
        else approvalsOpened?.set(openedRow.approvalId, { ...openedRow, ...request.change });
        break;
      }
      case 'approval.exclude': {
        const openedRow = approvalsOpened?.get(request.approvalId);
        if (openedRow === undefined) (approvalsExcluded ??= new Map()).set(request.approvalId, request);
        else approvalsOpened?.set(openedRow.approvalId, { ...openedRow, excluded: request.excluded });
        break;
      }
      case 'question.open':
        (questionsOpened ??= new Map()).set(request.question.questionId, request.question);
        break;
      case 'question.change': {
        const openedRow = questionsOpened?.get(request.change.questionId);
        if (openedRow === undefined) (questionsChanged ??= new Map()).set(request.change.questionId, request.change);
        else questionsOpened?.set(openedRow.questionId, { ...openedRow, ...request.change });
        break;
      }
      case 'artifact.put':
        artifacts.push(request.artifact);
        break;
      case 'absence.rely':
        requiredAbsences.push(request.absenceId);
        break;
      case 'personal_data.erase':
        ({ erasure } = request);
        break;
      case 'send':
        outgoing.push(toOutgoingRow(request.message, sender.runId, sender.updatedAt));
        break;
    }
  }
  return {
    jobsOffered: toValues(jobs).map((job) => ({ owner: reserveOwner(job.jobType, sender.runId), ...job })),
    jobsRescheduled: toValues(rescheduled),
    jobsWithdrawn,
    jobsIfUnclaimed,
    subscriptionsOpened: toValues(subscriptions),
    subscriptionsClosed,
    signalsOpened: toValues(signals),
    signalsClosed,
    timersArmed: toValues(timers),
    timersDisarmed,
    approvalsOpened: toValues(approvalsOpened),
    approvalsChanged: toValues(approvalsChanged),
    approvalsExcluded: toValues(approvalsExcluded),
    questionsOpened: toValues(questionsOpened),
    questionsChanged: toValues(questionsChanged),
    artifacts,
    outgoing,
    requiredAbsences,
    erasure,
  };
}

function toValues<T>(rows: ReadonlyMap<string, T> | undefined): readonly T[] {
  return rows === undefined ? [] : [...rows.values()];
}

/**
 * Returns the outbox row of a message. Messages about one child run share a queue, so that its cancellation never
 * overtakes its start; all other messages of a run share the queue of that run.
 */
export function toOutgoingRow(message: OutgoingMessage, sender: string, sentAt: number): OutgoingRow {
  return { message, queue: 'childRunId' in message ? message.childRunId : sender, sentAt };
}
