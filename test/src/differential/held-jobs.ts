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

  /** Number of held jobs. */
  get count(): number {
    return this.held.size;
  }

  complete(elementId: string, turn: number | undefined, variables: JsonObject): void {
    this.find(elementId, turn).complete(variables);
  }

  throwError(elementId: string, turn: number | undefined, code: string, variables: JsonObject): void {
    this.find(elementId, turn).fail(new BpmnError(code, 'The test case throws this error.', variables));
  }

  fail(elementId: string, turn: number | undefined): void {
    this.find(elementId, turn).fail(new TerminalFailure('case', 'The test case fails the job.'));
  }

  /**
   * Fails the current attempt of a job.
   *
   * @returns the job, to wait for its next attempt if one is left
   */
  failOnce(elementId: string, turn: number | undefined): Job {
    const { job, fail } = this.find(elementId, turn);
    fail(new RetryableFailure('case', 'The test case fails this attempt of the job.'));
    return job;
  }

  /** Resolves when the next attempt of a job is held. */
  async waitForNextAttempt({ jobId, attempt }: Job): Promise<void> {
    while (![...this.held].some(({ job }) => job.jobId === jobId && job.attempt > attempt)) {
      await new Promise<void>((resolve) => this.listeners.push(resolve));
    }
  }

  /**
   * Completes the oldest held job, or throws the BPMN error that its headers name.
   *
   * @returns whether a job was held
   */
  completeOldest(): boolean {
    const [heldJob] = this.held;
    if (heldJob === undefined) return false;
    const code = heldJob.job.headers[THROW_HEADER];
    if (code === undefined) heldJob.complete({});
    else heldJob.fail(new BpmnError(code, 'The headers of the job name this error.'));
    return true;
  }

  /** Fails all held jobs, so that a discarded host does not wait for them. */
  abandonAll(): void {
    for (const { fail } of [...this.held]) fail(new TerminalFailure('case', 'The test case has ended.'));
  }

  /** Returns the class of the job handler, which the host instantiates. */
  createHandlerClass(): Implementation<JobHandlerContribution> {
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
   * Holds a job. It must be in `held` in the same event loop turn in which the engine counts it as active, because
   * `OurHost` compares the two numbers.
   */
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
      job.signal.addEventListener('abort', () => heldJob.fail(new Error('The job was aborted.')), { once: true });
    });
  }
}

function getTurn({ job }: HeldJob): number {
  return Number(job.variables['loopCounter'] ?? 0);
}
