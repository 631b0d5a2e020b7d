import { useEffect, useState } from 'react';
import type { EvidenceContent, EvidenceSource } from './evidence-source.js';

export type LoadedEvidence = { readonly state: 'loading' } | { readonly state: 'failed'; readonly error: unknown; retry(): void } | { readonly state: 'loaded'; readonly content: EvidenceContent };

/** Reads one version of an artifact. It never changes, so it is read once for as long as it is shown. */
export function useEvidence(source: EvidenceSource, runId: string, name: string, version: number): LoadedEvidence {
  const [loaded, setLoaded] = useState<LoadedEvidence>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setLoaded({ state: 'loading' });
    source.load(runId, name, version, signal).then(
      (content) => !signal.aborted && setLoaded({ state: 'loaded', content }),
      (error: unknown) => !signal.aborted && setLoaded({ state: 'failed', error, retry: () => setAttempt((count) => count + 1) }),
    );
    return () => controller.abort();
  }, [source, runId, name, version, attempt]);
  return loaded;
}
