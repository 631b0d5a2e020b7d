import { isArtifactName } from '@countersign/model';
import { z } from 'zod';

/** The name of an artifact, as an argument. */
export const artifactName = () =>
  z
    .string()
    .min(1)
    .max(200)
    .refine(
      isArtifactName,
      'Must have 1 to 200 characters, no control characters, no slash or backslash, and not be . or ..',
    )
    .meta({ description: 'Name of the artifact, such as report.md.' });

/** What a call is told of an artifact. */
export const ArtifactFacts = z.object({
  name: z.string(),
  version: z.int(),
  /** In bytes. */
  size: z.int(),
  contentType: z.string(),
});

/** Where what is in an artifact comes from, whoever stored it: a tool may have stored what a stranger wrote. */
export const UPLOAD_TAINT: readonly string[] = Object.freeze(['upload']);

export function factsOf({
  name,
  version,
  size,
  contentType,
}: z.output<typeof ArtifactFacts>): z.output<typeof ArtifactFacts> {
  return { name, version, size, contentType };
}
