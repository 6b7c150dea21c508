# syntax=docker/dockerfile:1

# The screens. Their tools bring binaries as optional packages, so all packages are installed here.
FROM node:24.21.0-slim AS screens
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY web web
RUN node src/process/build-web.ts

# What the shop needs to run. The optional packages are Node itself, which the image has, and faster unpacking for BullMQ, which does without.
FROM node:24.21.0-slim AS packages
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:24.21.0-slim
# Two heaps of C for all threads: glibc would give each thread its own and keep there what was freed, some 40 MB under load.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /shop
COPY package.json LICENSE ./
COPY --from=packages /shop/node_modules node_modules
COPY src src
COPY --from=screens /shop/dist/web dist/web
# docker build --build-arg COMMIT_SHA=$(git rev-parse HEAD): the image has no .git.
ARG COMMIT_SHA=
ENV COMMIT_SHA=$COMMIT_SHA
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process lives, not whether every engine does: a shop whose views are away still sells.
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As npm start, without npm; docs/benchmarks.md says what the flags are for.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=12", "--heap-growing-percent=40", "src/process/main.js"]
