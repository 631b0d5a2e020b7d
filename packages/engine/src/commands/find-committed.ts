import type { LoggerPort } from '@countersign/core/plugin';
import type { RunWrite, StoragePort, StoredResponse } from '@countersign/core/ports';

/** Time limit of each of the two lookup attempts, in ms. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** State of a write whose commit got no response. */
export type FoundCommit =
  { readonly kind: 'written' } | { readonly kind: 'answered'; readonly storedResponse: StoredResponse };

/**
 * Looks up which writes were committed although the response of the database was lost. A write that is missing from the
 * result may still be committed later, because the database may not have finished it yet.
 */
export async function findCommitted(
  storage: Pick<StoragePort, 'loadRuns' | 'findStoredResponses'>,
  writes: readonly RunWrite[],
  log: Pick<LoggerPort, 'warn'>,
): Promise<ReadonlyMap<RunWrite, FoundCommit>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTimeout(LOOKUP_TIMEOUT_MS, lookUp(storage, writes));
    } catch (error) {
      // The connection of the first attempt may have broken together with the connection of the commit.
      if (attempt === 1) continue;
      log.warn(
        { err: error, commands: writes.length },
        'could not determine whether commands were committed: the database is not responding',
      );
      return new Map();
    }
  }
}

async function lookUp(
  storage: Pick<StoragePort, 'loadRuns' | 'findStoredResponses'>,
  writes: readonly RunWrite[],
): Promise<ReadonlyMap<RunWrite, FoundCommit>> {
  const found = new Map<RunWrite, FoundCommit>();
  const runs = await storage.loadRuns(writes.map(({ run }) => run.runId));
  for (const write of writes) {
    const stored = runs.get(write.run.runId);
    // Audit entries are salted, so another server's write of the same command has a different hash.
    if (stored?.lastAuditHash === write.next.lastAuditHash && stored.lastEventHash === write.next.lastEventHash)
      found.set(write, { kind: 'written' });
  }
  // If the run has advanced since, the response stored with the write proves the commit.
  const writesWithResponse = writes.flatMap((write) =>
    found.has(write) || write.storedResponse === null ? [] : [{ write, writtenResponse: write.storedResponse }],
  );
  const storedResponses =
    writesWithResponse.length === 0
      ? []
      : await storage.findStoredResponses(writesWithResponse.map(({ writtenResponse }) => writtenResponse));
  for (const [index, { write, writtenResponse }] of writesWithResponse.entries()) {
    const stored = storedResponses[index];
    if (stored?.requestDigest === writtenResponse.requestDigest)
      found.set(write, { kind: 'answered', storedResponse: stored });
  }
  return found;
}

async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not respond within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
