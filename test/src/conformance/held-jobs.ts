import {
  BpmnError,
  type Implementation,
  type Job,
  type JobHandlerContribution,
  type JsonObject,
  RetryableFailure,
  TerminalFailure,
} from '@countersign/core/plugin';
import { createJobHandler, waitUntil } from '@countersign/testing';
import { THROW_HEADER } from './adapt-model.js';

type JobOutcome = { readonly output: JsonObject } | { readonly error: Error };

interface HeldJob {
  readonly job: Job;
  /** Ends the job with an outcome that the case has chosen. */
  readonly end: (outcome: JobOutcome) => void;
  /** Ends the job although the case has chosen nothing. */
  readonly abort: (reason: Error) => void;
}

/** Jobs that wait until the case supplies their results. */
export class HeldJobs {
  private readonly held = new Set<HeldJob>();
  private readonly changeListeners: (() => void)[] = [];
  /**
   * Outcomes that the case has chosen, by job and attempt. If an engine executes an attempt again, for example because
   * it received no heartbeat, the outcome is the same.
   */
  private readonly outcomes = new Map<string, JobOutcome>();
  private repeatedAttempts: string[] = [];
  private isRefusing = false;

  /** @param jobType type of the service tasks of the cases */
  constructor(readonly jobType: string) {}

  /** Number of held jobs. */
  get count(): number {
    return this.held.size;
  }

  /** The keys of the held jobs: id and attempt. */
  get keys(): ReadonlySet<string> {
    return new Set([...this.held].map(({ job }) => getJobKey(job)));
  }

  /**
   * Returns the attempts that were executed although they had already ended or were still held, since the last call of
   * this method: one description for each additional execution. The hosts of cases run without outages, so an engine
   * that executes an attempt more than once starts its job twice.
   */
  takeRepeatedAttempts(): readonly string[] {
    const { repeatedAttempts } = this;
    this.repeatedAttempts = [];
    return repeatedAttempts;
  }

  /** Calls a listener whenever a job is held, or no longer. */
  onChange(listener: () => void): void {
    this.changeListeners.push(listener);
  }

  complete(elementId: string, turn: number | undefined, variables: JsonObject): void {
    this.find(elementId, turn).end({ output: variables });
  }

  throwError(elementId: string, turn: number | undefined, code: string, variables: JsonObject): void {
    this.find(elementId, turn).end({ error: new BpmnError(code, 'The test case throws this error.', variables) });
  }

  fail(elementId: string, turn: number | undefined): void {
    this.find(elementId, turn).end({ error: new TerminalFailure('case', 'The test case fails the job.') });
  }

  /**
   * Fails the current attempt of a job.
   *
   * @returns the job, to wait for its next attempt if one is left
   */
  failOnce(elementId: string, turn: number | undefined): Job {
    const { job, end } = this.find(elementId, turn);
    end({ error: new RetryableFailure('case', 'The test case fails this attempt of the job.') });
    return job;
  }

  /**
   * Resolves when the next attempt of a job is held.
   *
   * @throws {Error} if it is not held within the time limit
   */
  async waitForNextAttempt({ jobId, elementId, attempt }: Job): Promise<void> {
    await waitUntil(`the next attempt of the job of "${elementId}" is held`, () =>
      [...this.held].some(({ job }) => job.jobId === jobId && job.attempt > attempt),
    );
  }

  /**
   * Completes the held job that was opened first, or throws the BPMN error that its headers name. The order in which
   * the engine starts jobs has no effect.
   *
   * @returns whether a job was held
   */
  completeOldest(): boolean {
    // The ids are sorted by the time of the command that opened the job, and by the position in the command.
    const [heldJob] = [...this.held].sort((a, b) => compareTexts(a.job.jobId, b.job.jobId));
    if (heldJob === undefined) return false;
    const code = heldJob.job.headers[THROW_HEADER];
    heldJob.end(
      code === undefined ? { output: {} } : { error: new BpmnError(code, 'The headers of the job name this error.') },
    );
    return true;
  }

  /** Fails all held jobs, so that the next case does not find them. */
  abandonAll(): void {
    for (const { abort } of [...this.held]) abort(new TerminalFailure('case', 'The test case has ended.'));
  }

  /** Fails all held jobs, and those that come later, so that a discarded host does not wait for them. */
  refuseAll(): void {
    this.isRefusing = true;
    this.abandonAll();
  }

  /** Returns the class of the job handler, which the host instantiates. */
  createHandlerClass(): Implementation<JobHandlerContribution> {
    return createJobHandler(this.jobType, (job) => this.holdJob(job));
  }

  private find(elementId: string, turn: number | undefined): HeldJob {
    const matchingJobs = [...this.held]
      .filter(({ job }) => job.elementId === elementId && (turn === undefined || job.variables['loopCounter'] === turn))
      .sort((a, b) => getTurn(a) - getTurn(b));
    if (matchingJobs[0] === undefined)
      throw new Error(
        `No job of "${elementId}" is held. Elements with held jobs: ${[...this.held].map(({ job }) => job.elementId).join(', ') || 'none'}.`,
      );
    return matchingJobs[0];
  }

  /**
   * Holds a job. It must be in `held` in the same event loop turn in which the engine counts it as active, because the
   * probe of the embedded engine compares the two numbers.
   */
  private holdJob(job: Job): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const remove = (): void => {
        this.held.delete(heldJob);
        this.notify();
      };
      const settle = (outcome: JobOutcome): void => {
        if ('output' in outcome) resolve(outcome.output);
        else reject(outcome.error);
      };
      const heldJob: HeldJob = {
        job,
        end: (outcome) => {
          this.outcomes.set(getJobKey(job), outcome);
          settle(outcome);
          remove();
        },
        abort: (error) => {
          settle({ error });
          remove();
        },
      };
      const key = getJobKey(job);
      const known = this.outcomes.get(key);
      if (known !== undefined || this.keys.has(key))
        this.repeatedAttempts.push(`attempt ${job.attempt} of the job ${job.jobId} of "${job.elementId}"`);
      if (known !== undefined) return settle(known);
      if (this.isRefusing) return settle({ error: new TerminalFailure('case', 'The test case has ended.') });
      this.held.add(heldJob);
      job.signal.addEventListener('abort', () => heldJob.abort(new Error('The job was aborted.')), { once: true });
      this.notify();
    });
  }

  private notify(): void {
    for (const listener of this.changeListeners) listener();
  }
}

function getTurn({ job }: HeldJob): number {
  return Number(job.variables['loopCounter'] ?? 0);
}

/** Returns the key of an attempt of a job. */
export function getJobKey({ jobId, attempt }: Pick<Job, 'jobId' | 'attempt'>): string {
  return `${jobId}:${attempt}`;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
