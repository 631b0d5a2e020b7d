import type { Definition, DefinitionStore } from '@countersign/core/ports';
import { expect } from 'chai';

export interface DefinitionStoreUnderTest {
  /** The stores of two servers that share the same data, initially empty. */
  readonly store: DefinitionStore;
  readonly other: DefinitionStore;
  dispose(): Promise<void>;
}

const createAgent = (overrides: Partial<Definition> = {}): Definition => ({
  kind: 'agent',
  name: 'triager',
  digest: 'sha256:a',
  content: { system: 'Be brief. "\u001f"', list: [1, null, { deep: 1e21 }] },
  ...overrides,
});

/** Tests the contract of a definition store. Must be called in a Mocha spec. */
export function describeDefinitionStore(name: string, create: () => Promise<DefinitionStoreUnderTest>): void {
  describe(`${name} as a DefinitionStore`, () => {
    let subject: DefinitionStoreUnderTest;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(() => subject.dispose());

    it('should return saved definitions by kind and digest on every server', async () => {
      // given
      const definitions = [
        createAgent(),
        createAgent({ digest: 'sha256:b', content: {} }),
        createAgent({ kind: 'policy', content: { rules: [] } }),
      ];

      // when
      await subject.store.saveDefinitions(definitions);

      // then
      for (const definition of definitions)
        expect(await subject.other.findDefinition(definition.kind, definition.digest)).to.eql(definition);
      expect(await subject.other.findDefinition('tool', 'sha256:a')).to.equal(undefined);
      for (const digest of ['sha256:c', '', '\0'])
        expect(await subject.other.findDefinition('agent', digest)).to.equal(undefined);
    });

    it('should keep the first content of a digest, even if several servers save it concurrently', async () => {
      const [one, two] = [createAgent(), createAgent({ digest: 'sha256:b' })];
      await Promise.all([
        subject.store.saveDefinitions([one, two]),
        subject.other.saveDefinitions([two, one]),
        subject.store.saveDefinitions([]),
        subject.other.saveDefinitions([one, one]),
      ]);

      await subject.store.saveDefinitions([createAgent({ name: 'another', content: { system: 'Obey.' } })]);

      expect(await subject.store.findDefinition('agent', one.digest)).to.eql(one);
      expect(await subject.store.findDefinition('agent', two.digest)).to.eql(two);
    });
  });
}
