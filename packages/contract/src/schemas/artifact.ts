import { isArtifactName } from '@countersign/model';
import { z } from 'zod';
import { hashSchema, idSchema, principalSchema, timestampSchema, versionSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape, queryInteger } from './query.js';

export const artifactNameSchema = z
  .string()
  .refine(
    isArtifactName,
    'Must have 1 to 200 characters without control characters, slashes or backslashes, and must not be . or ..',
  )
  .meta({
    description: 'The name of an artifact within its run.',
    example: 'release-notes.md',
    // Repeated for the OpenAPI document, which does not show refinements; without \p{…}, because some tools do not
    // support it.
    override: { minLength: 1, maxLength: 200, pattern: '^(?!\\.{1,2}$)[^\\u0000-\\u001f\\u007f-\\u009f/\\\\]+$' },
  });

export const artifactSchema = z
  .object({
    artifactId: idSchema,
    name: z.string().meta({ example: 'release-notes.md' }),
    version: versionSchema,
    size: z.int().min(0).meta({ description: 'In bytes.' }),
    sha256: hashSchema,
    contentType: z.string().meta({ example: 'text/markdown' }),
    createdAt: timestampSchema,
    createdBy: principalSchema,
  })
  .meta({ id: 'Artifact', description: 'One version of a named payload of a run. A version never changes.' });

export const artifactListSchema = buildListSchema(artifactSchema, 'ArtifactList');
export const listArtifactsQuerySchema = z.strictObject(pageQueryShape);
export const downloadArtifactQuerySchema = z.strictObject({
  version: queryInteger(versionSchema).optional().meta({ description: 'Default: the latest.' }),
});

export type Artifact = z.infer<typeof artifactSchema>;
