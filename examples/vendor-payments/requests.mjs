// Starts one payment for each of sixty invoices. Each time, the invoices are the same.
//
// node examples/vendor-payments/requests.mjs [COUNT]
//
// URL: address of the server; TOKEN: access token of a user who may start runs.
import { createInvoices } from './invoices.mjs';

const { URL: server = 'http://127.0.0.1:8080', TOKEN: token } = process.env;
const count = Number(process.argv[2] ?? 60);
if (token === undefined || !Number.isInteger(count) || count < 1) {
  process.stderr.write('usage: TOKEN=… node examples/vendor-payments/requests.mjs [COUNT]\n');
  process.exit(2);
}

const invoices = createInvoices(count);
for (const [index, inputs] of invoices.entries()) {
  const response = await fetch(`${server}/api/runs`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Authorization': `Bearer ${token}` },
    body: JSON.stringify({ workflowId: 'vendor-payment', businessKey: inputs.invoice.number, inputs }),
  });
  if (!response.ok) throw new Error(`${inputs.invoice.number}: ${await response.text()}`);
  if ((index + 1) % 10 === 0 || index + 1 === invoices.length)
    process.stdout.write(`${index + 1} of ${invoices.length} payments requested\n`);
}
