# The demo as an image. It runs as an unprivileged user and writes to /tmp only.
#
#   docker build -t attention-visualiser .
#   docker run --read-only --tmpfs /tmp --cap-drop ALL -p 7860:7860 attention-visualiser
#
# The plain torch wheel brings CUDA along. For the small CPU build, name the index that PyTorch's
# install page gives:  docker build --build-arg PIP_EXTRA_INDEX_URL=... -t attention-visualiser .
# For models of the library transformers:  --build-arg PIP_REQUIREMENT=requirements-hub.txt
FROM python:3.11-slim
ARG PIP_EXTRA_INDEX_URL
ARG PIP_REQUIREMENT
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp OMP_NUM_THREADS=1
WORKDIR /app
# What draws the pictures of an export, and letters of every script in them.
RUN ["sh", "-c", "apt-get update && apt-get install --yes --no-install-recommends chromium fonts-noto-cjk fonts-noto-color-emoji && rm -rf /var/lib/apt/lists/*"]
COPY requirements.txt requirements-hub.txt requirements-ray.txt constraints.txt LICENSE NOTICE ./
RUN ["python", "-m", "pip", "install", "--no-cache-dir", "--constraint", "constraints.txt", "--requirement", "requirements.txt"]
COPY model_core/ model_core/
COPY viz_app/ viz_app/
RUN ["python", "-m", "compileall", "-q", "model_core", "viz_app"]
COPY --chown=1000:1000 checkpoints/ checkpoints/
USER 1000:1000
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:7860/health', timeout=4)"]
CMD ["python", "-m", "viz_app", "--demo", "--host", "0.0.0.0", "--port", "7860"]
