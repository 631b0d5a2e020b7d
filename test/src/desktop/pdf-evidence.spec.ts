import { createTestHost, type TestHost } from '@countersign/testing';
import { deployEvidenceModel, requestWithEvidence } from '../web/evidence-reader.spec.support.js';
import { INVOICE } from '../web/pdf.spec.support.js';
import { openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: PDF evidence', () => {
  let countersign: TestHost;
  let screen: Screen;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: ['work'] }), Screen.start()]);
    desktop = await startDesktop({ screen });
    await signIn(desktop, countersign, 'approver', 'bob');
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  it('should show the pages without a network, and count them as seen', async () => {
    // given
    const clara = await deployEvidenceModel(countersign, ['invoice.pdf']);
    const approval = await requestWithEvidence(countersign, clara, { 'invoice.pdf': ['application/pdf', INVOICE] });
    const { page } = desktop;
    await openApproval(desktop, approval);

    // when
    await page.getByRole('button', { name: 'Open invoice.pdf' }).click();
    const evidence = page.getByRole('region', { name: 'invoice.pdf, version 1' });
    await evidence.getByRole('group', { name: 'Page 1 of 2' }).getByText('Total: 76.10 EUR').waitFor();
    for (let step = 0; step <= 20; step += 1)
      await evidence.evaluate(async (region, share) => {
        region.scrollIntoView({ block: 'center', behavior: 'instant' });
        region.scrollTo({ top: share * region.scrollHeight, behavior: 'instant' });
        for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      }, step / 20);

    // then
    await evidence.getByRole('group', { name: 'Page 2 of 2' }).getByText('Pay in 30 days').waitFor();
    await page.getByText('Opened', { exact: true }).waitFor();
  });
});
