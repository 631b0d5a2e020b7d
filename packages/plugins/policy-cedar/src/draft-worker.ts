import { parentPort, workerData } from 'node:worker_threads';
import type { DraftResult } from '@countersign/core/plugin';
import type { PolicyRequest } from '@countersign/model';
import type { DraftMessage } from './cedar-drafts.js';
import { makePolicy } from './load-policy.js';
import { PolicyInvalidError, type PolicyIssue } from './policy-issue.js';

const DRAFT_ID = 'draft';

/**
 * Loads the draft in the worker data and evaluates requests until the thread is terminated. The thread has its own
 * instance of Cedar.
 */
async function serve(texts: Readonly<Record<string, string>>, send: (message: DraftMessage) => void): Promise<void> {
  const { policy, compiled } = await makePolicy(DRAFT_ID, texts);
  const evaluateRequest = (request: PolicyRequest): DraftResult => {
    try {
      return { decision: policy(request) };
    } catch (error) {
      return {
        problem: `The draft could not be evaluated, which counts as a deny: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  };
  parentPort?.on('message', (requests: readonly PolicyRequest[]) =>
    send({ type: 'answers', answers: requests.map(evaluateRequest) }),
  );
  send({ type: 'ready', digest: compiled.digest });
}

const send = (message: DraftMessage): void => parentPort?.postMessage(message);
await serve(workerData as Readonly<Record<string, string>>, send).catch((error: unknown) => {
  const errors: readonly PolicyIssue[] =
    error instanceof PolicyInvalidError
      ? error.issues
      : [{ file: '', line: null, column: null, message: String(error) }];
  send({ type: 'errors', errors });
});
