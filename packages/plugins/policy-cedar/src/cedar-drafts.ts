import { Worker } from 'node:worker_threads';
import { injectable } from 'inversify';
import {
  ApiError,
  type DraftAnswer,
  type PolicyDraft,
  type PolicyDraftPort,
  type PolicyTexts,
} from '@countersign/core/plugin';
import type { PolicyRequest } from '@countersign/model';
import { describeFault, PolicyInvalidError, type PolicyIssue } from './policy-issue.js';
import { checkSize, isPolicyFile, isSchemaFile } from './policy-files.js';

export type DraftMessage =
  | { readonly type: 'ready'; readonly digest: string }
  | { readonly type: 'faults'; readonly faults: readonly PolicyIssue[] }
  | { readonly type: 'answers'; readonly answers: readonly DraftAnswer[] };

export interface DraftLimits {
  /** Time limit for reading a draft, or for one batch of requests. */
  readonly timeMs: number;
  /** Maximum number of open drafts. */
  readonly open: number;
}

const LIMITS: DraftLimits = Object.freeze({ timeMs: 30_000, open: 2 });
const MEMORY_MB = 512;
const MAX_REPORTED = 100;
const NAME = /^[\w][\w.-]{0,99}$/;

/**
 * Drafts of policies, each in a separate thread: whatever a draft does to its Cedar instance, its memory and its thread
 * does not affect the policies in force.
 */
@injectable()
export class CedarDrafts implements PolicyDraftPort {
  #open = 0;
  /** Specs set lower limits. */
  limits = LIMITS;

  async open(texts: PolicyTexts): Promise<PolicyDraft> {
    checkNames(texts);
    if (this.#open >= this.limits.open) {
      throw new ApiError(
        'service_unavailable',
        `${this.limits.open} policy trials are already running, the maximum. Retry when one of them has ended.`,
        { retryAfter: 5 },
      );
    }
    this.#open += 1;
    const thread = new DraftThread(texts, this.limits.timeMs);
    const close = once(async () => {
      this.#open -= 1;
      await thread.end();
    });
    try {
      const digest = await thread.ready();
      return { digest, decide: (requests) => thread.decide(requests), close };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

interface Waiting {
  readonly resolve: (message: DraftMessage) => void;
  readonly reject: (error: ApiError) => void;
}

class DraftThread {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  /** Why the draft is no longer usable. */
  #broken: string | undefined;

  constructor(
    texts: PolicyTexts,
    readonly timeMs: number,
  ) {
    this.#worker = new Worker(new URL('./draft-worker.js', import.meta.url), {
      workerData: { ...texts },
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: 4 },
    });
    this.#worker.on('message', (message: DraftMessage) => this.#waiting?.resolve(message));
    this.#worker.on('error', (error) =>
      this.#break(`the draft could not be read (${error.message}), because it is too large or nested too deeply`),
    );
    this.#worker.on('exit', () =>
      this.#break('the draft could not be read, because it is too large or nested too deeply'),
    );
  }

  async ready(): Promise<string> {
    const message = await this.#next();
    if (message.type === 'ready') return message.digest;
    throw invalid(message.type === 'faults' ? message.faults : []);
  }

  async decide(requests: readonly PolicyRequest[]): Promise<readonly DraftAnswer[]> {
    this.#worker.postMessage(requests);
    const message = await this.#next();
    return message.type === 'answers' ? message.answers : [];
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** @throws {ApiError} `policy_invalid`: the thread failed, or took too long */
  async #next(): Promise<DraftMessage> {
    if (this.#broken !== undefined) throw broken(this.#broken);
    const timer = setTimeout(
      () => this.#break(`processing the draft took longer than ${this.timeMs / 1_000} s, because it is too large`),
      this.timeMs,
    );
    try {
      return await new Promise<DraftMessage>((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }

  #break(message: string): void {
    this.#broken ??= message;
    this.#waiting?.reject(broken(message));
  }
}

function broken(message: string): ApiError {
  return invalid([{ file: '', line: null, column: null, message }]);
}

function checkNames(texts: PolicyTexts): void {
  const faults = Object.keys(texts)
    .filter((name) => !NAME.test(name) || !(isPolicyFile(name) || isSchemaFile(name)))
    .map((name) => ({
      file: name.slice(0, 100),
      line: null,
      column: null,
      message: 'the name of a file must consist of letters, digits and . _ -, and end in .cedar or .cedarschema',
    }));
  if (faults.length > 0) throw invalid(faults);
  try {
    checkSize(texts);
  } catch (error) {
    throw error instanceof PolicyInvalidError ? invalid(error.faults) : error;
  }
}

function invalid(faults: readonly PolicyIssue[]): ApiError {
  const reported = faults.slice(0, MAX_REPORTED).map((fault) => describeFault(fault).replace(/^: /, ''));
  const more = faults.length > reported.length ? [`and ${faults.length - reported.length} more`] : [];
  return new ApiError('policy_invalid', `The draft cannot be used:\n${[...reported, ...more].join('\n')}`);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
