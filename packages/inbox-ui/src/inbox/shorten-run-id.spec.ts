import { expect } from 'chai';
import { shortenRunId } from './shorten-run-id.js';

describe('shortenRunId', () => {
  it('should show different short ids for two runs that started at the same time', () => {
    expect(shortenRunId('019aa8f3-1c00-7abc-8def-0123456789ab')).to.equal('456789ab');
    expect(shortenRunId('019aa8f3-1c00-7abc-8def-0123456789ab')).not.to.equal(
      shortenRunId('019aa8f3-1c00-7abc-8def-0123456789ac'),
    );
  });
});
