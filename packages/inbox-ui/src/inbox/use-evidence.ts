import { useEffect, useState } from 'react';
import { matchesDigest, type EvidenceContent, type EvidenceSource } from './evidence-source.js';

export type LoadedEvidence =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown; retry(): void }
  /** The content does not match its digest, so none of it is displayed. */
  | { readonly state: 'wrong' }
  | { readonly state: 'loaded'; readonly content: EvidenceContent };

/**
 * Reads one version of an artifact and verifies its digest. A version is immutable, so it is read once while displayed.
 */
export function useEvidence(
  source: EvidenceSource,
  runId: string,
  name: string,
  version: number,
  sha256: string,
): LoadedEvidence {
  const [loaded, setLoaded] = useState<LoadedEvidence>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setLoaded({ state: 'loading' });
    read(source.load(runId, name, version, signal), sha256).then(
      (result) => !signal.aborted && setLoaded(result),
      (error: unknown) =>
        !signal.aborted && setLoaded({ state: 'failed', error, retry: () => setAttempt((count) => count + 1) }),
    );
    return () => controller.abort();
  }, [source, runId, name, version, sha256, attempt]);
  return loaded;
}

async function read(loading: Promise<EvidenceContent>, sha256: string): Promise<LoadedEvidence> {
  const content = await loading;
  if (content.kind === 'bytes' && (await matchesDigest(content.bytes, sha256)) === false) return { state: 'wrong' };
  return { state: 'loaded', content };
}
