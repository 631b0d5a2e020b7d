import { Worker } from 'node:worker_threads';
import { injectable } from 'inversify';
import {
  ApiError,
  type DraftResult,
  type PolicyDraft,
  type PolicyDraftPort,
  type PolicyTexts,
} from '@countersign/core/plugin';
import type { PolicyRequest } from '@countersign/model';
import { describeIssue, PolicyInvalidError, type PolicyIssue } from './policy-issue.js';
import { assertSize, isPolicyFile, isSchemaFile } from './policy-files.js';

export type DraftMessage =
  | { readonly type: 'ready'; readonly digest: string }
  | { readonly type: 'errors'; readonly errors: readonly PolicyIssue[] }
  | { readonly type: 'answers'; readonly answers: readonly DraftResult[] };

export interface DraftLimits {
  /** Time limit for reading a draft, or for one batch of requests. */
  readonly timeoutMs: number;
  /** Maximum number of open drafts. */
  readonly maxOpen: number;
}

const LIMITS: DraftLimits = Object.freeze({ timeoutMs: 30_000, maxOpen: 2 });
const MEMORY_MB = 512;
const MAX_REPORTED_ISSUES = 100;
const FILE_NAME_PATTERN = /^[\w][\w.-]{0,99}$/;

/**
 * Drafts of policies, each in a separate thread, so that a draft that breaks its Cedar instance or exhausts its memory
 * does not affect the policies in force.
 */
@injectable()
export class CedarDrafts implements PolicyDraftPort {
  #openCount = 0;
  /** Specs set lower limits. */
  limits = LIMITS;

  async open(texts: PolicyTexts): Promise<PolicyDraft> {
    checkNames(texts);
    if (this.#openCount >= this.limits.maxOpen) {
      throw new ApiError(
        'service_unavailable',
        `The maximum number of policy trials (${this.limits.maxOpen}) is already running. Retry when one of them has ended.`,
        { retryAfter: 5 },
      );
    }
    this.#openCount += 1;
    const thread = new DraftThread(texts, this.limits.timeoutMs);
    const close = once(async () => {
      this.#openCount -= 1;
      await thread.end();
    });
    try {
      const digest = await thread.waitUntilReady();
      return { digest, evaluate: (requests) => thread.evaluate(requests), close };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

interface PendingResponse {
  readonly resolve: (message: DraftMessage) => void;
  readonly reject: (error: ApiError) => void;
}

class DraftThread {
  readonly #worker: Worker;
  #pending: PendingResponse | undefined;
  /** Message about the failure that made the draft unusable. */
  #failureMessage: string | undefined;

  constructor(
    texts: PolicyTexts,
    readonly timeoutMs: number,
  ) {
    this.#worker = new Worker(new URL('./draft-worker.js', import.meta.url), {
      workerData: { ...texts },
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: 4 },
    });
    this.#worker.on('message', (message: DraftMessage) => this.#pending?.resolve(message));
    this.#worker.on('error', (error) =>
      this.#fail(`the draft could not be read (${error.message}), because it is too large or nested too deeply`),
    );
    this.#worker.on('exit', () =>
      this.#fail('the draft could not be read, because it is too large or nested too deeply'),
    );
  }

  async waitUntilReady(): Promise<string> {
    const message = await this.#nextMessage();
    if (message.type === 'ready') return message.digest;
    throw draftInvalidError(message.type === 'errors' ? message.errors : []);
  }

  async evaluate(requests: readonly PolicyRequest[]): Promise<readonly DraftResult[]> {
    this.#worker.postMessage(requests);
    const message = await this.#nextMessage();
    return message.type === 'answers' ? message.answers : [];
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** @throws {ApiError} `policy_invalid` if the thread failed or took too long */
  async #nextMessage(): Promise<DraftMessage> {
    if (this.#failureMessage !== undefined) throw draftFailedError(this.#failureMessage);
    const timer = setTimeout(
      () => this.#fail(`processing the draft took longer than ${this.timeoutMs / 1_000} s, because it is too large`),
      this.timeoutMs,
    );
    try {
      return await new Promise<DraftMessage>((resolve, reject) => {
        this.#pending = { resolve, reject };
      });
    } finally {
      clearTimeout(timer);
      this.#pending = undefined;
    }
  }

  #fail(message: string): void {
    this.#failureMessage ??= message;
    this.#pending?.reject(draftFailedError(message));
  }
}

function draftFailedError(message: string): ApiError {
  return draftInvalidError([{ file: '', line: null, column: null, message }]);
}

function checkNames(texts: PolicyTexts): void {
  const issues = Object.keys(texts)
    .filter((name) => !FILE_NAME_PATTERN.test(name) || !(isPolicyFile(name) || isSchemaFile(name)))
    .map((name) => ({
      file: name.slice(0, 100),
      line: null,
      column: null,
      message: 'the name of a file must consist of letters, digits and . _ -, and end in .cedar or .cedarschema',
    }));
  if (issues.length > 0) throw draftInvalidError(issues);
  try {
    assertSize(texts);
  } catch (error) {
    throw error instanceof PolicyInvalidError ? draftInvalidError(error.issues) : error;
  }
}

function draftInvalidError(issues: readonly PolicyIssue[]): ApiError {
  const reported = issues.slice(0, MAX_REPORTED_ISSUES).map((issue) => describeIssue(issue).replace(/^: /, ''));
  const remainder = issues.length > reported.length ? [`and ${issues.length - reported.length} more`] : [];
  return new ApiError('policy_invalid', `The draft cannot be used:\n${[...reported, ...remainder].join('\n')}`);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let promise: Promise<void> | undefined;
  return () => (promise ??= work());
}
