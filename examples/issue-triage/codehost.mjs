// A source-code host with one issue, so that the example runs without a real host. It implements the part of GitHub's
// API that the code host connector uses, and returns the comments and labels that were written:
//   GET /repos/acme/shop/issues/7, its comments and labels
import { createServer } from 'node:http';

const issue = {
  id: 7,
  number: 7,
  title: 'Totals are rounded twice',
  body: 'An order of 3 × 0.335 comes to 1.02 in the basket, and to 1.01 on the invoice.',
  state: 'open',
  user: { login: 'ann' },
  labels: [],
  comments: 0,
  created_at: '2026-11-20T09:00:00Z',
  updated_at: '2026-11-20T09:00:00Z',
  assignees: [],
  html_url: 'https://git.example/acme/shop/issues/7',
};
const comments = [];

async function readJsonBody(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 262_144) throw new Error('too large');
  }
  return text === '' ? {} : JSON.parse(text);
}

const routes = {
  'GET /user': () => ({ login: 'countersign' }),
  'GET /repos/acme/shop/issues/7': () => issue,
  'GET /repos/acme/shop/issues/7/comments': () => comments,
  'POST /repos/acme/shop/issues/7/comments': ({ body }) => {
    const comment = {
      id: comments.length + 1,
      body,
      user: { login: 'countersign' },
      html_url: `${issue.html_url}#${comments.length + 1}`,
      created_at: new Date().toISOString(),
    };
    issue.comments = comments.push(comment);
    return comment;
  },
  'GET /repos/acme/shop/issues/7/labels': () => issue.labels,
  'POST /repos/acme/shop/issues/7/labels': ({ labels }) => {
    const names = new Set([...issue.labels.map(({ name }) => name), ...labels]);
    issue.labels = [...names].map((name, index) => ({ id: index + 1, name }));
    return issue.labels;
  },
};

const server = createServer(async (request, response) => {
  const respond = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const route = routes[`${request.method} ${new URL(request.url, 'http://host').pathname}`];
  if (route === undefined) return respond(404, { message: 'Not Found' });
  try {
    respond(
      request.method === 'POST' && request.url.endsWith('/comments') ? 201 : 200,
      route(await readJsonBody(request)),
    );
  } catch {
    respond(400, { message: 'Problems parsing JSON' });
  }
});

server.listen(Number(process.argv[2] ?? 9200), '127.0.0.1', () => {
  console.log(`The code host is at http://127.0.0.1:${server.address().port}`);
});
