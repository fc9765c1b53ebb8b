"""What calls into libraries mean for the origin of values: tables, looked up by dotted name.

Meanings: ``pure`` (the result says what the arguments say), ``random``, ``clock`` (a point in time), ``setting`` (paths,
platform, arguments: nothing observed), ``nothing`` (no value), ``plot`` (draws on the current figure), ``learning`` (an
object whose methods train or evaluate), the real kinds of :class:`Origin`, and ``unknown``.

A name is looked up whole, then without its last part, and so on: the most precise entry wins.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["drop_sizes", "meaning", "method_meaning", "words"]


def words(text: str) -> frozenset[str]:
    """Split a list of names, written as running text because a hundred quoted names are hard to read.

    Example:
        >>> sorted(words("b a"))
        ['a', 'b']
    """
    return frozenset(text.split())


# the names are those of the libraries themselves
_TABLE = {
    "pure": """
        sklearn.model_selection.train_test_split evaluate.load datasets.load_metric configparser.ConfigParser.read_dict
        builtins math cmath statistics fractions decimal numbers operator functools itertools collections copy json csv
        re string textwrap pprint io struct base64 hashlib hmac binascii zlib gzip bz2 lzma zipfile tarfile pickle heapq
        bisect array typing typing_extensions types abc enum dataclasses contextlib warnings traceback inspect ast
        difflib html xml email calendar queue threading multiprocessing concurrent asyncio weakref unicodedata unittest
        doctest fnmatch urllib.parse datetime.timedelta datetime.datetime.strptime datetime.datetime.fromtimestamp
        datetime.datetime.fromisoformat datetime.datetime datetime.date datetime time.strftime time.strptime numpy
        pandas scipy matplotlib seaborn mpl_toolkits tabulate rich tqdm prettytable termcolor colorama jinja2 markdown
        sympy mpmath numba einops cycler wordcloud graphviz networkx pingouin attr attrs pydantic msgspec yaml toml
        tomllib tomli orjson ujson simplejson joblib jsonlines faiss cv2 PIL imageio skimage nltk rouge_score sacrebleu
        evaluate Levenshtein rapidfuzz textdistance editdistance polars pyarrow openpyxl xlsxwriter docx reportlab h5py
        zarr xarray dask jsonschema regex ftfy unidecode inflect altair bokeh plotly adjustText umap sklearn.manifold
        openTSNE sklearn torch torchvision torchmetrics tensorflow jax keras statsmodels.stats statsmodels.tools
        datasets tiktoken jiwer editops bert_score.utils patsy more_itertools toolz sortedcontainers cachetools
        torch_geometric.data torch_geometric.utils torch_geometric.loader peft accelerate gensim.utils sentencepiece
        sklearn.metrics sklearn.preprocessing sklearn.utils sklearn.impute sklearn.pipeline.FunctionTransformer
        torch.nn.functional torch.nn.init torch.nn.utils torch.nn.Parameter torch.nn.parameter torch.distributions
        torch.tensor torch.utils tensorflow.constant tensorflow.math absl.logging dgl""",
    "random": """
        random numpy.random secrets uuid scipy.stats.rvs torch.rand torch.randn torch.randint torch.randperm
        torch.normal torch.rand_like torch.randn_like torch.bernoulli torch.multinomial tensorflow.random jax.random
        sklearn.utils.shuffle sklearn.utils.resample torchvision.datasets.FakeData faker mimesis lorem names
        names_generator sklearn.datasets.make_classification sklearn.datasets.make_regression
        sklearn.datasets.make_blobs sklearn.datasets.make_moons sklearn.datasets.make_circles sklearn.datasets
        os.urandom numpy.random.default_rng""",
    "nothing": """
        random.seed numpy.random.seed torch.manual_seed torch.cuda.manual_seed torch.cuda.manual_seed_all
        tensorflow.random.set_seed transformers.set_seed numpy.seterr numpy.set_printoptions pandas.set_option
        pandas.options warnings.filterwarnings warnings.simplefilter warnings.warn os.makedirs os.mkdir os.remove
        os.unlink os.rename os.replace os.chdir os.chmod os.rmdir os.symlink os.umask os.kill os._exit shutil time.sleep
        gc sys.exit sys.path sys.setrecursionlimit sys.stdout.flush sys.stderr signal logging logging.basicConfig
        logging.disable builtins.exit builtins.quit builtins.setattr builtins.delattr torch.set_num_threads
        torch.backends torch.autograd.set_detect_anomaly torch.use_deterministic_algorithms torch.cuda.empty_cache
        torch.cuda.synchronize torch.set_grad_enabled torch.set_default_dtype torch.set_float32_matmul_precision dotenv
        nltk.download transformers.logging transformers.utils.logging matplotlib.use matplotlib.style matplotlib.rc
        matplotlib.rcParams matplotlib.pyplot.style matplotlib.pyplot.rc matplotlib.pyplot.rcParams
        matplotlib.pyplot.rcParams.update matplotlib.pyplot.switch_backend matplotlib.pyplot.ioff matplotlib.pyplot.ion
        matplotlib.pyplot.show matplotlib.pyplot.close matplotlib.pyplot.tight_layout matplotlib.pyplot.pause
        matplotlib.pyplot.draw matplotlib.pyplot.rcdefaults seaborn.set seaborn.set_style seaborn.set_theme
        seaborn.set_context seaborn.set_palette seaborn.despine seaborn.reset_orig atexit faulthandler tracemalloc.start
        tracemalloc.stop tracemalloc.clear_traces torch.cuda.reset_peak_memory_stats
        torch.cuda.reset_max_memory_allocated torch.cuda.set_device plotly.io tensorflow.get_logger tensorflow.config
        tensorflow.keras.backend absl.logging.set_verbosity locale colorama.init wandb.init wandb.finish
        mlflow.start_run mlflow.set_experiment mlflow.set_tracking_uri mlflow.end_run huggingface_hub.login os.killpg
        os.setsid site""",
    "setting": """
        os os.path sys platform pathlib argparse optparse getopt click typer fire hydra omegaconf configparser getpass
        socket.gethostname tempfile importlib.metadata importlib.util pkg_resources torch.device torch.cuda
        torch.cuda.is_available torch.cuda.device_count torch.cuda.get_device_name torch.version torch.__version__
        logging.handlers tensorflow.config.list_physical_devices contextvars absl.flags absl.app locale.getlocale gin
        sacred glob.escape fnmatch.fnmatch codecs.lookup""",
    "clock": """
        time.time time.perf_counter time.monotonic time.process_time time.time_ns time.perf_counter_ns time.monotonic_ns
        time.process_time_ns time.thread_time time.ctime time.localtime time.gmtime time.asctime timeit.default_timer
        datetime.datetime.now datetime.datetime.utcnow datetime.datetime.today datetime.date.today datetime.now
        datetime.utcnow pandas.Timestamp.now pandas.Timestamp.utcnow pandas.Timestamp.today""",
    "measured": """
        psutil resource tracemalloc pynvml nvidia_smi GPUtil memory_profiler timeit cProfile pstats sys.getsizeof
        os.stat os.path.getsize os.path.getmtime os.path.getctime os.times os.getloadavg shutil.disk_usage
        torch.cuda.max_memory_allocated torch.cuda.memory_allocated torch.cuda.memory_reserved
        torch.cuda.max_memory_reserved torch.cuda.mem_get_info torch.cuda.memory_summary torch.cuda.memory_stats
        torch.cuda.get_device_properties torch.cuda.Event torch.profiler thop fvcore ptflops codecarbon pyRAPL
        torch.utils.benchmark line_profiler""",
    "read": """
        sys.stdin os.read nltk.data mmap tensorflow.saved_model tensorflow.data.TFRecordDataset
        numpy.load numpy.loadtxt numpy.genfromtxt numpy.fromfile numpy.memmap scipy.io scipy.datasets scipy.misc
        os.listdir os.scandir os.walk glob fileinput linecache shelve sqlite3 sqlalchemy psycopg2 pymysql pymongo redis
        duckdb torch.load torch.hub torch.jit.load joblib.load cv2.imread cv2.VideoCapture PIL.Image.open imageio.imread
        imageio.get_reader imageio.v2.imread imageio.v3.imread skimage.data skimage.io librosa soundfile torchaudio
        nibabel pydicom rasterio geopandas tensorflow.keras.datasets keras.datasets tensorflow_datasets
        torchvision.datasets torchvision.io torchtext torch_geometric.datasets dgl.data datasets.load_dataset
        datasets.load_from_disk datasets.get_dataset_config_names huggingface_hub kaggle kagglehub
        openml ucimlrepo pmlb ogb vega_datasets seaborn.load_dataset statsmodels.datasets nltk.corpus spacy
        sentence_transformers gensim.downloader gensim.models.KeyedVectors transformers diffusers timm open_clip clip
        whisper xml.etree.ElementTree.parse matplotlib.image.imread matplotlib.pyplot.imread h5py.File
        sklearn.datasets.load_iris sklearn.datasets.fetch_openml PyPDF2 pypdf fitz pdfplumber anndata scanpy rdkit wfdb
        mne netCDF4 pyreadr jsonlines.open pyarrow.parquet.read_table pyarrow.csv polars.read_csv
        tensorflow.io.read_file tensorflow.io.gfile huggingface_hub.hf_hub_download yfinance pandas_datareader wbdata
        importlib.resources pkgutil.get_data""",
    "trained": """
        numpy.linalg.lstsq numpy.linalg.solve numpy.linalg.pinv numpy.linalg.inv numpy.linalg.eig numpy.linalg.eigh
        numpy.linalg.eigvals numpy.linalg.eigvalsh numpy.linalg.svd numpy.linalg.qr scipy.linalg scipy.sparse.linalg
        scipy.optimize.minimize scipy.optimize.least_squares scipy.optimize.linprog scipy.optimize.milp
        scipy.optimize.linear_sum_assignment scipy.optimize.differential_evolution scipy.optimize.basinhopping
        scipy.optimize.dual_annealing scipy.optimize.nnls scipy.optimize.root scipy.optimize.fmin
        tensorflow.compat.v1 tensorflow.Session tensorflow.estimator tensorflow.lite
        sklearn.model_selection.cross_val_score sklearn.model_selection.cross_validate
        sklearn.model_selection.cross_val_predict sklearn.model_selection.learning_curve
        sklearn.model_selection.validation_curve sklearn.model_selection.permutation_test_score sklearn.inspection
        sklearn.cluster.k_means sklearn.cluster.dbscan xgboost.train xgboost.cv lightgbm.train lightgbm.cv
        torch.autograd.grad torch.autograd.backward torch.autograd.functional torch.func jax.grad jax.value_and_grad
        tensorflow.GradientTape bert_score evaluate.evaluator shap lime captum torcheval.metrics.functional
        torch.nn.DataParallel""",
    "learning": """
        sklearn.linear_model sklearn.ensemble sklearn.svm sklearn.neighbors sklearn.tree sklearn.naive_bayes
        sklearn.neural_network sklearn.cluster sklearn.mixture sklearn.gaussian_process sklearn.discriminant_analysis
        sklearn.decomposition sklearn.pipeline sklearn.model_selection sklearn.calibration sklearn.multiclass
        sklearn.multioutput sklearn.dummy sklearn.isotonic sklearn.kernel_ridge sklearn.semi_supervised
        sklearn.cross_decomposition sklearn.covariance sklearn.compose sklearn.base sklearn.feature_selection
        sklearn.feature_extraction
        sklearn.random_projection xgboost lightgbm catboost statsmodels linearmodels prophet pmdarima arch lifelines
        hmmlearn pgmpy pymc pymc3 pyro numpyro gpytorch botorch surprise implicit lightfm torch.nn torch.optim torch.jit
        torchvision.models torchvision.ops torch_geometric.nn dgl.nn tensorflow.keras keras tensorflow.Module
        tensorflow.compat flax haiku optax pytorch_lightning lightning ignite fastai stable_baselines3 ray.rllib
        tensorflow.train skorch hdbscan imblearn autogluon tpot h2o pytorch_tabnet gensim.models fasttext optuna
        hyperopt ax skopt bayes_opt nevergrad trl deepspeed""",
    "answered": """
        requests httpx aiohttp urllib.request urllib3 http.client socket websocket websockets openai anthropic litellm
        google.generativeai google.genai vertexai cohere mistralai ollama together groq replicate boto3 botocore
        langchain langchain_openai langchain_anthropic langchain_core langchain_community llama_index vllm dspy guidance
        instructor fireworks dashscope zhipuai builtins.input arxiv wikipedia scholarly semanticscholar feedparser
        selenium playwright tweepy praw llama_cpp serpapi duckduckgo_search cerebras ai21 smtplib ftplib""",
    "run": """
        subprocess os.system os.popen os.spawnl os.spawnv os.execv os.execvp os.execl os.posix_spawn pexpect paramiko
        fabric invoke sh plumbum docker runpy papermill pty""",
    "plot": """
        matplotlib.pyplot seaborn plotly.express plotly.graph_objects plotly.subplots plotly.figure_factory altair
        bokeh.plotting plotnine missingno squarify venn matplotlib_venn holoviews""",
    "unknown": """
        builtins.exec builtins.eval builtins.compile builtins.__import__ builtins.globals builtins.locals importlib ctypes
        cffi sys.modules""",
}  # fmt: skip

_MEANINGS = {name: what for what, names in _TABLE.items() for name in names.split()}

# palettes, tick formatters and other settings of the plotting libraries return values and draw nothing
_QUIET_PLOT = words(
    """get_cmap cm cycler color_palette light_palette dark_palette diverging_palette cubehelix_palette hls_palette
    husl_palette axes_style plotting_context Rectangle Circle Normalize rcParams colors colormaps get_backend setp"""
)

# whatever the library, such a function hands out what somebody else wrote
_READERS = (
    "read_", "load", "open_", "fetch", "from_file", "from_csv", "from_json", "from_parquet", "from_disk", "from_hub", "imread",
    "download", "get_rdataset", "get_file", "image_dataset_from", "text_dataset_from", "make_csv_dataset", "TFRecordDataset",
    "TextLineDataset", "CsvDataset", "karate_club_graph", "les_miserables", "read",
)  # fmt: skip
# these only parse the text they are given
_PARSERS = words(
    """json.load json.loads pickle.load pickle.loads yaml.load yaml.safe_load yaml.full_load yaml.unsafe_load
    toml.loads tomllib.loads orjson.loads ujson.loads simplejson.loads marshal.loads dill.load dill.loads
    cloudpickle.load cloudpickle.loads csv.reader evaluate.load datasets.load_metric tomllib.load operator.loads"""
)
_MUTE = words("dotenv nltk transformers logging matplotlib argparse configparser builtins threading os sys signal")
_TRAINING = words(
    """fit fit_transform fit_predict fit_generator fit_resample partial_fit predict predict_proba predict_log_proba
    predict_on_batch decision_function score score_samples evaluate train_on_batch test_on_batch step backward
    generate encode forward minimize optimize learn forecast simulate apply_gradients gradient transform
    inverse_transform kneighbors apply test validate tune log_prob posterior sample fit_regularized compile_and_fit
    get_prediction summary feature_importances train_model eval_model __call__ call"""
)
# on torch modules these only switch modes or move weights
_MODES = words(
    """to cuda cpu eval train half float double bfloat16 requires_grad_ zero_grad parameters named_parameters modules
    named_modules children named_children state_dict load_state_dict apply register_buffer register_parameter
    add_module share_memory type get_params set_params compile append extend add build count_params get_weights
    set_weights register_forward_hook register_hook items values keys"""
)
_RANDOM_METHODS = words("rvs normal_ uniform_ bernoulli_ random_ exponential_ sample rsample")
_SEEDING = words("seed manual_seed shuffle set_state setstate getstate get_state spawn")
# what a random-number generator or a distribution draws keeps none of its sizes
_ONE_PARAMETER = words(
    """exponential poisson standard_t chisquare geometric rayleigh pareto power weibull zipf dirichlet standard_gamma"""
)
_ONLY_SIZES = words(
    """rand randn random_sample random standard_normal zeros ones empty arange eye identity zeros_like ones_like
    empty_like rand_like randn_like randperm tri permutation_of_n token_hex token_bytes urandom getrandbits default_rng
    RandomState Random SeedSequence Generator PCG64 PRNGKey"""
)
_SIZE_NAMES = words(
    """size n k num shape n_samples n_features n_classes dtype device seed random_state generator axis dim count length"""
)


@lru_cache(maxsize=4096)
def meaning(name: str) -> str:
    """Say what calling a library name means.

    Args:
        name: The dotted name, with aliases of imports resolved.

    Returns:
        One of the meanings of this module.

    Example:
        >>> meaning("numpy.random.normal"), meaning("pandas.read_csv"), meaning("nobody.knows")
        ('random', 'read', 'unknown')
    """
    last = name.rpartition(".")[2]
    root = name.partition(".")[0]
    if root in ("pandas", "polars") and last.startswith(("read_", "scan_")):
        return "read"
    if name.startswith("sklearn.datasets.") and last.startswith(("load_", "fetch_")):
        return "read"
    if last == "from_pretrained" or (
        root in ("torch", "tensorflow", "keras") and last in ("load_model", "load_weights")
    ):
        return "read"
    if root in ("transformers", "sentence_transformers") and last.endswith(
        ("Trainer", "Arguments", "Collator", "Config")
    ):
        return "learning"
    if name.startswith("scipy.stats.") and last == "rvs":
        return "random"
    if last.startswith(_READERS) and name not in _PARSERS and root not in _MUTE:
        return "read"
    prefix = name
    while prefix:
        found = _MEANINGS.get(prefix)
        if found is not None:
            return "pure" if found == "plot" and not _QUIET_PLOT.isdisjoint(name.split(".")) else found
        prefix = prefix.rpartition(".")[0]
    return "unknown"


def method_meaning(type_: str, method: str) -> str:
    """Say what calling a method on a library's object means.

    Args:
        type_: Dotted name of the call that made the object; empty for plain values.
        method: The method.

    Returns:
        A meaning; ``alias`` where the method hands back its object.

    Example:
        >>> method_meaning("sklearn.svm.SVC", "fit"), method_meaning("numpy.zeros", "mean")
        ('trained', 'pure')
    """
    if method == "backward":
        return "trained"
    if not type_:
        return "pure"
    kind = meaning(type_)
    if method == "from_pretrained":
        return "read"
    if kind == "learning":
        torch_like = type_.startswith(("torch", "tensorflow", "keras"))
        if method in _MODES and (torch_like or method not in ("train", "apply")):
            return "alias"
        if method in _TRAINING or (method == "train" and not torch_like):
            return "trained"
        return "pure"
    if kind == "read":  # a pretrained model, an open data base, an image
        return "alias" if method in _MODES else "trained" if method in _TRAINING else "read"
    if kind == "random" or (method in _RANDOM_METHODS and not type_.startswith(("pandas", "builtins"))):
        return "nothing" if method in _SEEDING else "random"
    if kind in ("setting", "nothing", "clock"):
        return "pure"
    return kind


def drop_sizes(name: str, position: int | str) -> bool:
    """Tell whether an argument only says how many values there will be, or of what type.

    Args:
        name: The last part of the called name.
        position: Index or keyword of the argument.

    Returns:
        Whether the argument leaves no trace in the values themselves.

    Example:
        >>> drop_sizes("normal", 2), drop_sizes("normal", 0)
        (True, False)
    """
    if isinstance(position, str):
        return position in _SIZE_NAMES
    if name in _ONLY_SIZES:
        return True
    if name in ("full", "full_like"):
        return position == 0
    if name in ("choice", "choices", "sample", "tile", "repeat", "multinomial", "permutation", *_ONE_PARAMETER):
        return position >= 1
    return position >= 2
