import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { checkPort } from './check-port.js';

describe('checkPort', () => {
  it('should suggest another port when the port is in use, and accept the port when it is free again', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as AddressInfo;

    const error = await checkPort('127.0.0.1', port).catch((reason: unknown) => reason);
    otherServer.close();
    await once(otherServer, 'close');

    expect(error).to.include({ code: 'port_in_use' });
    expect(error)
      .to.have.property('remedy')
      .that.contains(`--port ${port + 1}`);
    await checkPort('127.0.0.1', port);
  });

  it('should refuse an address of another machine', async () => {
    expect(await checkPort('192.0.2.1', 1).catch((reason: unknown) => reason))
      .to.have.property('code')
      .that.is.oneOf(['address_unavailable', 'port_forbidden']);
  });
});
