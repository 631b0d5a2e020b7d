import { expect } from 'chai';
import { startExample, type RunningExample } from './examples.spec.support.js';

describe('example "vendor payments", run as described in its README', function () {
  this.timeout(120_000);

  let example: RunningExample;

  before(async function () {
    // The test finds the processes of the server in /proc.
    if (process.platform !== 'linux') this.skip();
    example = await startExample('vendor-payments', {}, {});
  });

  after(() => example?.stop());

  it('should request sixty payments, each with its own title, and pay what is approved', async () => {
    // when
    const outputLines = await example.runReadmeCommands();

    // then
    expect(outputLines).to.deep.equal([
      '10 of 60 payments requested',
      '20 of 60 payments requested',
      '30 of 60 payments requested',
      '40 of 60 payments requested',
      '50 of 60 payments requested',
      '60 of 60 payments requested',
      'Pay CZK 138,600.00 to Žižka & synové s.r.o.: critical risk. Invoice R-2026004 with 1 item, to a new bank account.',
      'Pay CZK 292,600.00 to Žižka & synové s.r.o.: critical risk. Invoice R-2026034 with 1 item, to a new bank account.',
      'Pay AED 10,405.00 to شركة النور للتجارة: high risk. Invoice R-2026033 with 2 items.',
      'Pay USD 1,676.75 to Northwind Energy: high risk. Invoice R-2026014 with 1 item, to a new bank account.',
      'Supplier: text, Amount: money, Pay by: date, Invoice: link, Bank account: diff, Items: table',
      'approved',
    ]);
  });
});
