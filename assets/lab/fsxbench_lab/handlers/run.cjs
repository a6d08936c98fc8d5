// Runs a Lambda handler for Node once: the event comes on stdin; LAMBDA_TASK_ROOT and _HANDLER locate the handler. Handlers answer over https only,
// so a request to this machine is sent over http instead.
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');
const fs = require('node:fs');

const secureRequest = https.request;
https.request = (options, ...rest) => {
  const local = options.hostname === '127.0.0.1' || options.host === '127.0.0.1';
  if (!local) return secureRequest(options, ...rest);
  return http.request({ ...options, protocol: 'http:', port: responseUrl.port }, ...rest);
};

const event = JSON.parse(fs.readFileSync(0, 'utf8'));
const responseUrl = new URL(event.ResponseURL);
const [file, name] = process.env._HANDLER.split('.');
const handler = require(path.join(process.env.LAMBDA_TASK_ROOT, file))[name];
const context = {
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  logStreamName: 'lab',
  getRemainingTimeInMillis: () => 60_000,
};
Promise.resolve(handler(event, context)).catch((error) => {
  process.stderr.write(`${error?.stack ?? error}\n`);
  process.exitCode = 1;
});
