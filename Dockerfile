# docker build --tag incidentctl . && docker run --rm --volume "$PWD:/work:ro" incidentctl validate
# Another base image, such as one from your registry or with a digest: --build-arg BASE=registry.example.com/node:22-alpine
ARG BASE=node:22-alpine
FROM $BASE AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json tsconfig.build.json .npmrc ./
COPY scripts scripts
COPY schemas schemas
COPY src src
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM $BASE
ARG VERSION=""
ARG REVISION=""
ARG SOURCE=""
LABEL org.opencontainers.image.title="incidentctl" \
      org.opencontainers.image.description="Configuration as code for an incident-management workspace" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.source="$SOURCE"
ENV NODE_ENV=production
COPY --from=build --chown=root:root /build/package.json /opt/incidentctl/
COPY --from=build --chown=root:root /build/node_modules /opt/incidentctl/node_modules
COPY --from=build --chown=root:root /build/dist /opt/incidentctl/dist
COPY --from=build --chown=root:root /build/schemas /opt/incidentctl/schemas
COPY templates /opt/incidentctl/templates
# The program cannot change its own files, and is nobody on the host.
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/incidentctl/dist/cli.cjs"]
CMD ["--help"]
