import { expect } from 'chai';
import { buildEvidencePackJsonSchema } from './evidence-pack-json-schema.js';

describe('buildEvidencePackJsonSchema', () => {
  const schema = JSON.parse(JSON.stringify(buildEvidencePackJsonSchema())) as {
    $id: string;
    $ref: string;
    $defs: Record<string, { type?: string; properties?: object; required?: string[]; additionalProperties?: unknown }>;
  };

  it('should have its stable id and resolve every reference within the schema', () => {
    expect(schema.$id).to.equal('urn:countersign:schema:evidence-pack:2');
    const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(refs).to.include('#/$defs/EvidencePack');
    for (const ref of refs) {
      expect(ref).to.match(/^#\/\$defs\//);
      expect(schema.$defs).to.have.property(ref.slice('#/$defs/'.length));
    }
  });

  it('should require every field and refuse unknown fields', () => {
    for (const name of [
      'EvidencePack',
      'EvidenceEvent',
      'EvidenceAuditEvent',
      'EvidenceChain',
      'EvidenceRun',
      'Step',
      'EvidenceVote',
      'EvidenceArtifact',
    ]) {
      const definition = schema.$defs[name];
      // Optional, because votes of earlier versions lack these fields, and later votes have them only if they apply.
      const optionalFields = name === 'EvidenceVote' ? ['askedAs', 'shown', 'counts'] : [];
      expect(definition?.required, name).to.have.members(
        Object.keys(definition?.properties ?? {}).filter((each) => !optionalFields.includes(each)),
      );
      expect(definition?.additionalProperties, name).to.equal(false);
    }
  });

  it('should allow unknown fields in the subject of an approval, because its digest covers all of them', () => {
    for (const name of ['UserTaskSubject', 'ToolCallSubject']) {
      expect(schema.$defs[name]?.additionalProperties, name).to.deep.equal({});
    }
  });
});
