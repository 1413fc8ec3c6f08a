// A service on Node's own HTTP server. What it answers is asked of another one, whose port is the argument.
'use strict';
const http = require('http');

const behind = Number(process.argv[2]);

const server = http.createServer((request, response) => {
  const body = [];
  request.on('data', (piece) => body.push(piece));
  request.on('end', () => {
    const asked = http.request(
        {host: '127.0.0.1', port: behind, method: request.method, path: request.url, headers: plain(request.rawHeaders)},
        (answer) => {
          response.writeHead(answer.statusCode, plain(answer.rawHeaders));
          answer.pipe(response);
        });
    asked.on('error', () => response.destroy());
    asked.end(Buffer.concat(body));
  });
});

// Names and values in turns, without those that belong to one connection.
function plain(raw) {
  const kept = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i].toLowerCase();
    if (!['connection', 'keep-alive', 'transfer-encoding'].includes(name)) {
      kept[raw[i]] = (kept[raw[i]] || []).concat(raw[i + 1]);
    }
  }
  for (const name of Object.keys(kept)) {
    if (kept[name].length === 1) {
      kept[name] = kept[name][0];
    }
  }
  return kept;
}

server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
