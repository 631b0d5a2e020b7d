// A service with a fault, its operations API and a pager, so that the example needs no other systems:
//   GET /status, POST /restart, POST /page, GET /pages
import { createServer } from 'node:http';

let healthy = false;
const pages = [];

async function readJsonBody(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 65_536) throw new Error('too large');
  }
  return text === '' ? null : JSON.parse(text);
}

const routes = {
  'GET /status': () =>
    healthy
      ? { healthy, queue: 12 }
      : { healthy, queue: 48_112, lastError: 'worker 3 does not take jobs from the queue' },
  'POST /restart': ({ component }) => {
    healthy = component === 'worker';
    return { restarted: component };
  },
  'POST /page': (page) => {
    pages.push(page);
    return { paged: true };
  },
  'GET /pages': () => pages,
};

const server = createServer(async (request, response) => {
  const respond = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const route = routes[`${request.method} ${request.url}`];
  if (route === undefined) return respond(404, { error: 'no such path' });
  try {
    respond(200, route(await readJsonBody(request)));
  } catch {
    respond(400, { error: 'not JSON' });
  }
});

server.listen(Number(process.argv[2] ?? 9100), '127.0.0.1', () => {
  console.log(`The service is at http://127.0.0.1:${server.address().port}`);
});
