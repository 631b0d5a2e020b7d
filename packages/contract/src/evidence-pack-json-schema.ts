import { createSchema, type oas31 } from 'zod-openapi';
import { removeReferenceSiblings } from './openapi/remove-reference-siblings.js';
import { normalizeSchema } from './openapi/schema-override.js';
import { EVIDENCE_PACK_SCHEMA_ID, evidencePackSchema } from './schemas/evidence-pack.js';

/**
 * Returns the self-contained JSON Schema (2020-12) of the evidence pack. Unlike the API document, it refuses unknown
 * fields: in evidence, anything that the schema does not describe is a finding.
 */
export function buildEvidencePackJsonSchema(): Record<string, unknown> {
  const { schema, components } = createSchema(evidencePackSchema, {
    io: 'output',
    schemaRefPath: '#/$defs/',
    opts: { override: normalizeSchema },
  });
  return removeReferenceSiblings({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: EVIDENCE_PACK_SCHEMA_ID,
    title: 'Countersign evidence pack, version 2',
    ...(schema as oas31.ReferenceObject),
    $defs: components,
  });
}
