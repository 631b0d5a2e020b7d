import { expect } from 'chai';
import { EngineChoice } from './engine-choice.js';

describe('EngineChoice', () => {
  let moves: Record<string, string>;
  let servers: string[];
  let reads: number;
  let isUnavailable: boolean;

  const storage = {
    findEngineOfWorkflow: async (workflowId: string) => {
      reads += 1;
      if (isUnavailable) throw new Error('unavailable');
      return moves[workflowId] ?? null;
    },
    countServers: async () => {
      if (isUnavailable) throw new Error('unavailable');
      return servers.map((engine) => ({ engine, count: 1 }));
    },
  };
  const createChoice = (ownEngine: string) => new EngineChoice(storage, () => ownEngine);
  const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : '');

  beforeEach(() => {
    moves = {};
    servers = ['embedded', 'temporal'];
    reads = 0;
    isUnavailable = false;
  });

  it('should choose the engine to which the workflow was moved', async () => {
    moves = { moved: 'temporal' };

    for (const ownEngine of ['embedded', 'temporal', 'other'])
      expect(await createChoice(ownEngine).choose('moved', async () => 'embedded')).to.deep.equal({
        engine: 'temporal',
        engineOfWorkflow: 'temporal',
      });
  });

  it('should choose the engine of the parent run for a workflow that was not moved', async () => {
    expect(await createChoice('embedded').choose('w', async () => 'temporal')).to.deep.equal({
      engine: 'temporal',
      engineOfWorkflow: null,
    });
    expect(await createChoice('embedded').choose('w', async () => undefined)).to.include({ engine: 'embedded' });
  });

  it('should choose the embedded engine if a server has it, and otherwise that of this server', async () => {
    expect(await createChoice('temporal').choose('w')).to.include({ engine: 'embedded' });
    servers = ['temporal'];
    expect(await createChoice('temporal').choose('w')).to.include({ engine: 'temporal' });
    expect(await createChoice('embedded').choose('w')).to.include({ engine: 'embedded' });
  });

  it('should read a move once until it is forgotten', async () => {
    // given
    const choice = createChoice('embedded');
    await Promise.all([choice.choose('w'), choice.choose('w')]);
    await choice.choose('w');
    expect(reads).to.equal(1);

    // when
    moves = { w: 'temporal' };
    choice.forget('w');

    // then
    expect(await choice.choose('w')).to.include({ engine: 'temporal' });
  });

  it('should choose again once the database is available', async () => {
    // given
    const choice = createChoice('temporal');
    isUnavailable = true;
    expect(await choice.choose('w').catch(errorMessage)).to.equal('unavailable');

    // when
    isUnavailable = false;

    // then
    expect(await choice.choose('w')).to.include({ engine: 'embedded' });
  });
});
