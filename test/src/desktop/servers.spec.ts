import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { forget, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: several servers', () => {
  let hosts: readonly TestHost[];
  let screen: Screen;
  let desktop: Desktop;

  before(async () => {
    [screen, ...hosts] = await Promise.all([Screen.start(), createTestHost({ jobTypes: APPROVAL_JOBS }), createTestHost({ jobTypes: APPROVAL_JOBS })]);
    await (await ApprovalMaker.on(hosts[0]!, 'simple')).asked('simple');
    await (await ApprovalMaker.on(hosts[1]!, 'quorum')).asked('quorum');
    desktop = await startDesktop({ screen });
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) forget(desktop.userData);
    await screen?.stop();
    for (const host of hosts ?? []) await host.close();
  });

  it('should keep whoever is signed in at each, show each its own inbox, and let the end of one session touch no other', async () => {
    // given
    const { page } = desktop;
    const [one, other] = hosts.map(({ url }) => new URL(url).host) as [string, string];
    const menu = () => page.getByRole('button', { name: /^Server:/ });
    const choose = async (name: string): Promise<void> => {
      await menu().click();
      await page.getByRole('menuitem', { name }).click();
    };
    await signIn(desktop, hosts[0]!, 'approver', 'ada');
    await page.getByRole('row', { name: /Approve the release/ }).waitFor();
    await choose('Add a server');
    await signIn(desktop, hosts[1]!, 'approver', 'bea');
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();
    expect(await page.getByRole('row', { name: /Approve the release/ }).count()).to.equal(0);
    // when, then
    await choose(one);
    await page.getByRole('row', { name: /Approve the release/ }).waitFor();
    await page.getByRole('button', { name: 'ada · Approver' }).waitFor();
    expect(await page.getByRole('row', { name: /Approve by two/ }).count()).to.equal(0);
    // when: the session here ends
    const short = await hosts[0]!.token('approver', { subject: 'ada', expiresInSeconds: 1 });
    await page.evaluate((token) => (window as unknown as { countersign: { useDevelopmentToken(input: object): Promise<unknown> } }).countersign.useDevelopmentToken({ token }), short);
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    while (!(await ended.isVisible())) await page.evaluate(() => (window as unknown as { countersign: { call(input: object): Promise<unknown> } }).countersign.call({ operation: 'listApprovals', input: {} }));
    await page.evaluate(async (name) => {
      const { getState, selectServer } = (window as unknown as { countersign: { getState(): Promise<{ servers: { serverId: string; name: string }[] }>; selectServer(input: object): Promise<void> } }).countersign;
      await selectServer({ serverId: (await getState()).servers.find((server) => server.name === name)?.serverId });
    }, other);
    // then
    await page.getByRole('button', { name: 'bea · Approver' }).waitFor();
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();
  });
});
