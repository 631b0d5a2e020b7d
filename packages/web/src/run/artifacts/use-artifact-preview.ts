import type { Artifact } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { MAX_IMAGE_BYTES, MAX_TEXT_BYTES, detectPreview, isDeclaredImage, type Preview } from './detect-preview.js';
import { readDownload } from './transfer.js';

/** Loaded part of an artifact, and whether there is more. */
export interface LoadedPreview {
  readonly preview: Preview;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly whole: boolean;
}

/** Reads the part of an artifact that is shown. A version never changes, so it is read once. */
export function useArtifactPreview(runId: string, artifact: Artifact | undefined): UseQueryResult<LoadedPreview> {
  const client = useClient();
  return useQuery({
    queryKey: ['artifact-preview', runId, artifact?.name, artifact?.version],
    queryFn: async ({ signal }) => {
      if (artifact === undefined) throw new Error('No artifact is selected.');
      const { name, version, size, contentType } = artifact;
      const limit = isDeclaredImage(contentType) && size <= MAX_IMAGE_BYTES ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES;
      const whole = size <= limit;
      const download = await client.downloadArtifact(
        { runId, artifactName: name, version, ...(whole ? {} : { range: { start: 0, end: limit - 1 } }) },
        { signal },
      );
      const bytes = await readDownload(download, () => undefined);
      return { preview: detectPreview(name, contentType, bytes, whole), bytes, whole };
    },
    enabled: artifact !== undefined,
    staleTime: 'static',
    // A preview may be megabytes.
    gcTime: 60_000,
    structuralSharing: false,
  });
}
