import { isArtifactName } from '@countersign/model';
import { z } from 'zod';

/** Creates the schema of an argument that is the name of an artifact. */
export const createArtifactNameSchema = () =>
  z
    .string()
    .min(1)
    .max(200)
    .refine(
      isArtifactName,
      'Must have 1 to 200 characters without control characters, slashes or backslashes, and must not be . or ..',
    )
    .meta({ description: 'Name of the artifact, such as report.md.' });

/** Details of an artifact that a tool call returns. */
export const ArtifactDetails = z.object({
  name: z.string(),
  version: z.int(),
  /** In bytes. */
  size: z.int(),
  contentType: z.string(),
});

/** Taint of artifact contents, regardless of who stored them: a tool may have stored untrusted text. */
export const UPLOAD_TAINT: readonly string[] = Object.freeze(['upload']);

export function toArtifactDetails({
  name,
  version,
  size,
  contentType,
}: z.output<typeof ArtifactDetails>): z.output<typeof ArtifactDetails> {
  return { name, version, size, contentType };
}
