/** Suppliers with the goods that they deliver, and the prices of these goods. */
const SUPPLIERS = [
  {
    name: 'Contoso Paper',
    currency: 'EUR',
    goods: [
      ['Copy paper, box', 24.5],
      ['Envelopes, box', 12.9],
    ],
  },
  {
    name: 'Fabrikam Logistics',
    currency: 'EUR',
    goods: [
      ['Pallet to Rotterdam', 310],
      ['Storage, week', 95],
    ],
  },
  { name: 'Northwind Energy', currency: 'USD', goods: [['Electricity, MWh', 88.25]] },
  {
    name: 'شركة النور للتجارة',
    currency: 'AED',
    goods: [
      ['شاشة', 740],
      ['لوحة مفاتيح', 95],
    ],
  },
  { name: 'Žižka & synové s.r.o.', currency: 'CZK', goods: [['Oprava výtahu', 15400]] },
  {
    name: '東京精密株式会社',
    currency: 'JPY',
    goods: [
      ['測定器', 182000],
      ['校正', 24000],
    ],
  },
];

/**
 * Returns the inputs of payments. Most invoices are ordinary; some have a new bank account, a wrong total, a changed
 * contract (with a difference of 400 lines) or a long delivery report.
 *
 * @param {number} count
 */
export function createInvoices(count) {
  return Array.from({ length: count }, (_, index) => createInvoice(index));
}

/** @param {number} index */
function createInvoice(index) {
  const { name, currency, goods } = SUPPLIERS[index % SUPPLIERS.length];
  const items = goods.map(([description, price], position) => {
    const quantity = 1 + ((index * 7 + position * 3) % 20);
    return { description, quantity, amount: Math.round(price * quantity * 100) / 100 };
  });
  const total = Math.round(items.reduce((sum, { amount }) => sum + amount, 0) * 100) / 100;
  const number = `R-${2026_000 + index}`;
  return {
    supplier: name,
    invoice: {
      number,
      amount: index % 20 === 13 ? total + 100 : total,
      currency,
      payBy: new Date(Date.UTC(2026, 11, 1 + (index % 28))).toISOString().slice(0, 10),
      url: `https://invoices.example/${number}`,
      items,
    },
    ...(index % 10 === 4
      ? { bankAccount: { before: 'DE02 1203 0000 0000 2020 51', after: 'DE75 5121 0800 1245 1261 99' } }
      : {}),
    ...(index % 30 === 7 ? { contract: createContract() } : {}),
    ...(index % 30 === 11 ? { note: createDeliveryReport() } : {}),
    ...(index % 15 === 2 ? { note: 'Price as in the **frame contract**, section 4.' } : {}),
  };
}

/** A contract of 600 clauses, of which 200 change: 200 lines are removed and 200 added. */
function createContract() {
  const clauses = Array.from(
    { length: 600 },
    (_, index) => `${index + 1}. The supplier delivers lot ${index + 1} within 14 days.`,
  );
  return {
    before: clauses.join('\n'),
    after: clauses.map((clause, index) => (index % 3 === 1 ? clause.replace('14 days', '21 days') : clause)).join('\n'),
  };
}

/** A delivery report of about 60 kB. */
function createDeliveryReport() {
  const rows = Array.from(
    { length: 800 },
    (_, index) =>
      `| ${index + 1} | Warehouse ${(index % 12) + 1} | ${(index * 37) % 500} pieces | received without damage |`,
  );
  return ['## Delivery report', '', '| no. | where | how much | remark |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
