import {
  BpmnError,
  type Implementation,
  type Job,
  type JobHandlerContribution,
  type JsonObject,
  RetryableFailure,
  TerminalFailure,
} from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { THROW_HEADER } from '../conformance/adapt-model.js';

/** Job type of all service tasks of the cases. */
export const HELD_JOB_TYPE = 'work';

interface HeldJob {
  readonly job: Job;
  readonly complete: (output: JsonObject) => void;
  readonly fail: (reason: Error) => void;
}

/** Jobs that wait until the case supplies their results. */
export class HeldJobs {
  private readonly held = new Set<HeldJob>();
  private readonly listeners: (() => void)[] = [];

  /** Returns the number of held jobs. */
  get count(): number {
    return this.held.size;
  }

  complete(elementId: string, turn: number | undefined, variables: JsonObject): void {
    this.find(elementId, turn).complete(variables);
  }

  throwError(elementId: string, turn: number | undefined, code: string, variables: JsonObject): void {
    this.find(elementId, turn).fail(new BpmnError(code, 'The case wants it.', variables));
  }

  fail(elementId: string, turn: number | undefined): void {
    this.find(elementId, turn).fail(new TerminalFailure('case', 'The case wants it.'));
  }

  /** @returns the job whose next attempt must be awaited, if there is one */
  failOnce(elementId: string, turn: number | undefined): Job {
    const { job, fail } = this.find(elementId, turn);
    fail(new RetryableFailure('case', 'The case wants it, for now.'));
    return job;
  }

  /** Resolves when the next attempt of a job is held. */
  async waitForNextAttempt({ jobId, attempt }: Job): Promise<void> {
    while (![...this.held].some(({ job }) => job.jobId === jobId && job.attempt > attempt)) {
      await new Promise<void>((resolve) => this.listeners.push(resolve));
    }
  }

  /**
   * Executes the oldest job according to its headers.
   *
   * @returns whether there was one
   */
  completeOldest(): boolean {
    const [heldJob] = this.held;
    if (heldJob === undefined) return false;
    const code = heldJob.job.headers[THROW_HEADER];
    if (code === undefined) heldJob.complete({});
    else heldJob.fail(new BpmnError(code, 'The model wants it.'));
    return true;
  }

  /** Fails all held jobs, so that a discarded host does not wait for them. */
  abandonAll(): void {
    for (const { fail } of [...this.held]) fail(new TerminalFailure('case', 'The case is over.'));
  }

  /** Returns the handler in the form that the host requires. */
  handler(): Implementation<JobHandlerContribution> {
    const execute = (job: Job): Promise<JsonObject> => this.holdJob(job);
    class HeldJobHandler implements JobHandlerContribution {
      readonly jobType = HELD_JOB_TYPE;

      execute(job: Job): Promise<JsonObject> {
        return execute(job);
      }
    }
    injectable()(HeldJobHandler);
    return HeldJobHandler;
  }

  private find(elementId: string, turn: number | undefined): HeldJob {
    const found = [...this.held]
      .filter(({ job }) => job.elementId === elementId && (turn === undefined || job.variables['loopCounter'] === turn))
      .sort((a, b) => turnNumber(a) - turnNumber(b));
    if (found[0] === undefined)
      throw new Error(
        `No job of "${elementId}" waits; there are: ${[...this.held].map(({ job }) => job.elementId).join(', ') || 'none'}.`,
      );
    return found[0];
  }

  /** The job must be in `held` in the turn in which the engine counts it as active: see `OurSide`. */
  private holdJob(job: Job): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const heldJob: HeldJob = {
        job,
        complete: (output) => {
          this.held.delete(heldJob);
          resolve(output);
        },
        fail: (reason) => {
          this.held.delete(heldJob);
          reject(reason);
        },
      };
      this.held.add(heldJob);
      for (const resume of this.listeners.splice(0)) resume();
      job.signal.addEventListener('abort', () => heldJob.fail(new Error('The step is gone.')), { once: true });
    });
  }
}

function turnNumber({ job }: HeldJob): number {
  return Number(job.variables['loopCounter'] ?? 0);
}
