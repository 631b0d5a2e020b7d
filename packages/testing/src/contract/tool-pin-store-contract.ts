import type { AcceptedContent, StoragePort, ToolPinStore, ToolStop } from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { expect } from 'chai';

export interface ToolPinStoreUnderTest {
  /** Two servers on the same, empty data. */
  readonly store: ToolPinStore;
  readonly other: ToolPinStore;
  /** Storage of the first server. */
  readonly storage: Pick<StoragePort, 'listAudit'>;
  dispose(): Promise<void>;
}

const NAME = 'mcp.files.read';
const STOP: ToolStop = {
  digest: 'sha256:b',
  code: 'tool_changed',
  message: 'It is not as it was.',
  at: 1_790_000_000_500,
};

const tool = (overrides: Partial<AcceptedContent> = {}): AcceptedContent => ({
  name: NAME,
  source: 'files',
  digest: 'sha256:a',
  content: { description: 'Reads. "\u001f"', inputSchema: { type: 'object' } },
  at: 1_790_000_000_123,
  by: 'ada',
  ...overrides,
});
const audit = (action: string): AuditEntry => ({
  at: 1_790_000_000_123,
  actor: { type: 'user', id: 'ada', name: 'Ada' },
  action,
  target: { type: 'tool', id: NAME },
  result: 'ok',
  from: null,
  data: {},
});

/** Tests the contract of a store of pinned tools. Must be called in a Mocha spec. */
export function describeToolPinStore(name: string, create: () => Promise<ToolPinStoreUnderTest>): void {
  describe(`${name} as a ToolPinStore`, () => {
    let subject: ToolPinStoreUnderTest;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(() => subject.dispose());

    const actions = async () =>
      [...(await subject.storage.listAudit({}, 50))].sort((a, b) => a.seq - b.seq).map(({ action }) => action);

    it('should return pinned tools on every server', async () => {
      await subject.store.pinToolFirst(tool(), audit('tool.pin'));
      await subject.store.acceptTool(tool({ name: 'mcp.a.b', digest: 'sha256:c' }), audit('tool.accept'));

      expect(await subject.other.listToolPins()).to.eql([
        { ...tool({ name: 'mcp.a.b', digest: 'sha256:c' }), stopped: null },
        { ...tool(), stopped: null },
      ]);
      expect(await actions()).to.eql(['tool.pin', 'tool.accept']);
    });

    it('should pin only the first definition, even if several servers pin concurrently', async () => {
      // when
      const first = await Promise.all(
        [0, 1, 2, 3].map((n) =>
          (n % 2 === 0 ? subject.store : subject.other).pinToolFirst(
            tool({ digest: `sha256:${n}` }),
            audit('tool.pin'),
          ),
        ),
      );

      // then
      expect(first.filter(Boolean)).to.have.length(1);
      const [pinned] = await subject.store.listToolPins();
      expect(pinned?.digest).to.equal(`sha256:${first.indexOf(true)}`);
      expect(await actions(), 'only the first pin is audited').to.eql(['tool.pin']);
    });

    it('should keep a tool stopped until the tool is accepted, with the first reason', async () => {
      await subject.store.pinToolFirst(tool(), audit('tool.pin'));

      const stopped = await Promise.all(
        [subject.store, subject.other].map((store) => store.stopTool(NAME, 'sha256:a', STOP, audit('tool.stop'))),
      );

      expect(stopped.filter(Boolean)).to.have.length(1);
      expect(
        await subject.other.stopTool(NAME, 'sha256:a', { ...STOP, digest: 'sha256:z' }, audit('tool.stop')),
      ).to.equal(false);
      expect(await subject.other.pinToolFirst(tool({ digest: 'sha256:b' }), audit('tool.pin'))).to.equal(false);
      expect(await subject.other.listToolPins()).to.eql([{ ...tool(), stopped: STOP }]);

      const accepted = tool({ digest: 'sha256:b', content: {}, by: 'grace', at: 1_790_000_001_000 });
      await subject.store.acceptTool(accepted, audit('tool.accept'));

      expect(await subject.other.listToolPins()).to.eql([{ ...accepted, stopped: null }]);
      expect(await actions()).to.eql(['tool.pin', 'tool.stop', 'tool.accept']);
    });

    it('should not stop a tool that was accepted since or never pinned', async () => {
      await subject.store.pinToolFirst(tool(), audit('tool.pin'));
      await subject.store.acceptTool(tool({ digest: 'sha256:b' }), audit('tool.accept'));

      expect(await subject.other.stopTool(NAME, 'sha256:a', STOP, audit('tool.stop'))).to.equal(false);
      expect(await subject.other.stopTool('mcp.a.b', 'sha256:a', STOP, audit('tool.stop'))).to.equal(false);
      expect((await subject.store.listToolPins()).map(({ stopped }) => stopped)).to.eql([null]);
      expect(await actions()).to.eql(['tool.pin', 'tool.accept']);
    });
  });
}
