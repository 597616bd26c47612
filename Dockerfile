# docker build --tag incidentctl . && docker run --rm --volume "$PWD:/work:ro" incidentctl validate
FROM node:22-alpine AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json tsconfig.build.json .npmrc ./
COPY scripts scripts
COPY schemas schemas
COPY src src
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:22-alpine
ENV NODE_ENV=production
COPY --from=build --chown=root:root /build/package.json /opt/incidentctl/
COPY --from=build --chown=root:root /build/node_modules /opt/incidentctl/node_modules
COPY --from=build --chown=root:root /build/dist /opt/incidentctl/dist
COPY --from=build --chown=root:root /build/schemas /opt/incidentctl/schemas
COPY templates /opt/incidentctl/templates
# What runs can change nothing of itself, and is nobody on the host.
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/incidentctl/dist/cli.cjs"]
CMD ["--help"]
